// Reads a Lexical document before Ghost's renderer does: that it is not too deep, and that it is one. What it names is
// told to the client, so it holds types and places and nothing of the text.

import { FORMAT_DEPTH_MAX } from '../../base/limits.ts';
import { findJsonExcess } from '../../base/text/json-excess.ts';
import { isJsonObject } from '../../base/text/json-value.ts';

export type LexicalNode = { readonly type: string; readonly children?: readonly LexicalNode[] } & {
  [property: string]: unknown;
};

export type LexicalDocument = { readonly root: LexicalNode };

/** `fault` ends a sentence that begins with the name of the field. */
export type ReadDocument =
  | { readonly document: LexicalDocument }
  | { readonly fault: string; readonly isUnknownNode: boolean };

export const readLexical = (
  text: string,
  nodeTypes: { readonly has: (type: string) => boolean },
): ReadDocument => {
  const parsed = parseJson(text);
  if ('fault' in parsed) return { ...parsed, isUnknownNode: false };
  const fault = findFault(parsed.value, nodeTypes);
  if (fault === null) return { document: parsed.value as LexicalDocument };
  return { fault, isUnknownNode: fault.startsWith(UNKNOWN_NODE) };
};

/** Depth is measured before anything is parsed. */
export const parseJson = (
  text: string,
): { readonly value: unknown } | { readonly fault: string } => {
  const excess = findJsonExcess(Buffer.from(text), { depthMax: FORMAT_DEPTH_MAX });
  if (excess !== null) return { fault: `is nested more than ${FORMAT_DEPTH_MAX} deep` };
  let hasPrototype = false;
  try {
    const value: unknown = JSON.parse(text, function (this: unknown, key: string, inner: unknown) {
      if (key === '__proto__') hasPrototype = true;
      return inner;
    });
    return hasPrototype ? { fault: 'has a property named "__proto__"' } : { value };
  } catch {
    return { fault: 'is not JSON' };
  }
};

const UNKNOWN_NODE = 'has a node of the unknown type';

const findNodeFault = (
  { type, children, text, tag }: Readonly<Record<string, unknown>>,
  nodeTypes: { readonly has: (type: string) => boolean },
): string | null => {
  if (typeof type !== 'string') return 'has a node without a type';
  if (!nodeTypes.has(type)) {
    return `${UNKNOWN_NODE} "${type.slice(0, TYPE_UNITS)}"`;
  }
  if (isText(type) && typeof text !== 'string') return 'has a text without text';
  if (isHeading(type) && !HEADING_TAGS.includes(String(tag))) {
    return `has a heading whose tag is none of ${HEADING_TAGS.join(', ')}`;
  }
  const hasList = children === undefined || Array.isArray(children);
  return hasList ? null : 'has children that are not a list';
};

const findFault = (
  value: unknown,
  nodeTypes: { readonly has: (type: string) => boolean },
): string | null => {
  const root = isJsonObject(value) ? value.root : undefined;
  if (!isJsonObject(root)) return 'has no root';
  if (root.type !== 'root') return 'has a root that is not of type "root"';
  if (!Array.isArray(root.children)) return 'has a root without children';
  const waiting: { readonly node: unknown; readonly place: string }[] = [
    { node: root, place: 'root' },
  ];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, place } = next;
    if (!isJsonObject(node)) return `has no node at ${place}`;
    const fault = findNodeFault(node, nodeTypes);
    if (fault !== null) return `${fault} at ${place}`;
    const children = (node.children ?? []) as readonly unknown[];
    for (let at = children.length - 1; at >= 0; at -= 1) {
      waiting.push({ node: children[at], place: `${place}.children[${at}]` });
    }
  }
  return null;
};

const TYPE_UNITS = 60;

const isText = (type: string): boolean => type === 'text' || type === 'extended-text';

/** Ghost's renderer writes whatever element the tag names, a script too. */
const isHeading = (type: string): boolean => type === 'heading' || type === 'extended-heading';

const HEADING_TAGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
