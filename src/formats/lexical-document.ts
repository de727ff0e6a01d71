// Reads a Lexical document before Ghost's renderer does: that it is not too deep, and that it is one. What it names is
// told to the client, so it holds types and places and nothing of the text.
import { FORMAT_DEPTH_MAX } from '../base/limits.ts';

export type LexicalNode = { readonly type: string; readonly children?: readonly LexicalNode[] } & {
  [property: string]: unknown;
};

export type LexicalDocument = { readonly root: LexicalNode };

/** `fault` ends a sentence that begins with the name of the field. */
export type ReadDocument = { readonly document: LexicalDocument } | { readonly fault: string };

export const readLexical = (
  text: string,
  nodeTypes: { readonly has: (type: string) => boolean },
): ReadDocument => {
  const parsed = parseJson(text);
  if ('fault' in parsed) return parsed;
  const fault = findFault(parsed.value, nodeTypes);
  return fault === null ? { document: parsed.value as LexicalDocument } : { fault };
};

/** Depth is measured before anything is parsed. */
export const parseJson = (
  text: string,
): { readonly value: unknown } | { readonly fault: string } => {
  if (isTooDeep(text)) return { fault: `is nested more than ${FORMAT_DEPTH_MAX} deep` };
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

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `[` and `{`, `]` and `}` differ in this bit alone. */
const BRACE_BIT = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;

const isTooDeep = (text: string): boolean => {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (inText) {
      if (unit === BACKSLASH) at += 1;
      else if (unit === QUOTE) inText = false;
    } else if (unit === QUOTE) inText = true;
    else if ((unit | BRACE_BIT) === OPENING) {
      depth += 1;
      if (depth > FORMAT_DEPTH_MAX) return true;
    } else if ((unit | BRACE_BIT) === CLOSING) depth -= 1;
  }
  return false;
};

const findFault = (
  value: unknown,
  nodeTypes: { readonly has: (type: string) => boolean },
): string | null => {
  const root = isObject(value) ? value.root : undefined;
  if (!isObject(root)) return 'has no root';
  if (root.type !== 'root') return 'has a root that is not of type "root"';
  if (!Array.isArray(root.children)) return 'has a root without children';
  const waiting: { readonly node: unknown; readonly place: string }[] = [
    { node: root, place: 'root' },
  ];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, place } = next;
    if (!isObject(node)) return `has no node at ${place}`;
    const { type, children } = node;
    if (typeof type !== 'string') return `has a node without a type at ${place}`;
    if (!nodeTypes.has(type)) {
      return `has a node of the unknown type "${type.slice(0, TYPE_UNITS)}" at ${place}`;
    }
    if (isText(type) && typeof node.text !== 'string') return `has a text without text at ${place}`;
    if (children === undefined) continue;
    if (!Array.isArray(children)) return `has children that are no list at ${place}`;
    for (let at = children.length - 1; at >= 0; at -= 1) {
      waiting.push({ node: children[at], place: `${place}.children[${at}]` });
    }
  }
  return null;
};

const TYPE_UNITS = 60;

const isText = (type: string): boolean => type === 'text' || type === 'extended-text';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
