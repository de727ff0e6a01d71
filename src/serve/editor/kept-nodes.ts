// Nodes that the renderers here do not know, because a newer Ghost made them. A save may carry those that the stored
// document has: while others are rendered, a mark stands for each, and what it shows is cut out of the stored html. What
// a client says of such a node is never rendered.

import { randomUUID } from 'node:crypto';
import { isJsonObject } from '../../base/text/json-value.ts';
import {
  findOuterElements,
  type OuterElement,
} from '../../publication/documents/html/outer-elements.ts';
import type { LexicalDocument, LexicalNode } from './lexical-document.ts';

export type KeptNodes = {
  /** With a mark for each node that is stored; a new one stays, and is refused by whoever reads the document. */
  readonly hide: (document: LexicalDocument) => LexicalDocument;
  /** With the stored nodes in place of their marks. */
  readonly show: (document: LexicalDocument) => LexicalDocument;
  /** Puts what the nodes show in place of their marks. */
  readonly fill: (html: string, pieces: readonly string[]) => string;
  /** What each shows, of the stored document as it is rendered with marks and as it was stored; null: it cannot be told. */
  readonly cut: (marked: string, stored: string) => string[] | null;
};

/** As the renderer writes the card of a mark. */
const CARD =
  /\n?<!--kg-card-begin: html-->\n(<div data-prepress="[0-9a-f-]{36}-\d{1,9}"><\/div>)\n<!--kg-card-end: html-->\n?/g;

type NodeTypes = { readonly has: (type: string) => boolean };

/** `showUrls`: as clients are shown a stored text. */
export const keepNodes = (
  stored: LexicalDocument,
  nodeTypes: NodeTypes,
  showUrls: (text: string) => string,
): KeptNodes => {
  const nonce = randomUUID();
  const nodes = childrenOf(stored).filter(({ type }) => !nodeTypes.has(type));
  const numbers = new Map(nodes.map((node, at) => [showUrls(spell(node)), at]));
  const markOf = (at: number): string => `<div data-prepress="${nonce}-${at}"></div>`;
  const marks = new Map(nodes.map((_, at) => [markOf(at), at]));
  const replaceMarks = (html: string, by: (at: number, mark: string) => string): string =>
    html.replace(CARD, (found, mark: string) => {
      const at = marks.get(mark);
      return at === undefined ? found : by(at, mark);
    });
  return {
    hide: (document) =>
      mapChildren(document, (node) => {
        if (nodeTypes.has(node.type)) return node;
        const at = numbers.get(showUrls(spell(node)));
        return at === undefined ? node : { type: 'html', version: 1, html: markOf(at) };
      }),
    show: (document) =>
      mapChildren(document, (node) => nodes[marks.get(String(node.html)) ?? -1] ?? node),
    fill: (html, pieces) => replaceMarks(html, (at) => pieces[at] ?? ''),
    cut: (marked, html) =>
      cutPieces(
        replaceMarks(marked, (_, mark) => mark),
        html,
        marks,
      ),
  };
};

const childrenOf = ({ root }: LexicalDocument): readonly LexicalNode[] => root.children ?? [];

const mapChildren = (
  { root, ...rest }: LexicalDocument,
  map: (node: LexicalNode) => LexicalNode,
): LexicalDocument => ({ ...rest, root: { ...root, children: (root.children ?? []).map(map) } });

/** The same text for the same values, in whatever order they stand. */
const spell = (node: LexicalNode): string =>
  JSON.stringify(node, (_key, value: unknown) =>
    isJsonObject(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );

/**
 * Elements of the outermost level are counted from both ends, because the same node may be rendered with other
 * attributes; what stands between elements must be the same. Several nodes can be told apart where each shows one element.
 */
const cutPieces = (
  marked: string,
  html: string,
  marks: ReadonlyMap<string, number>,
): string[] | null => {
  const [ours, theirs] = [findOuterElements(marked), findOuterElements(html)];
  const markAt = ({ start, end }: OuterElement) => marks.get(marked.slice(start, end));
  const count = ours.filter((one) => markAt(one) !== undefined).length;
  const spare = theirs.length - (ours.length - count);
  if (count === 0 || spare < 0 || (count > 1 && spare !== count)) return null;
  const length = count === 1 ? spare : 1;
  const pieces: string[] = [];
  let [next, from] = [0, 0];
  for (const [index, one] of ours.entries()) {
    const at = markAt(one);
    if (at === undefined) {
      const other = theirs[next];
      if (other === undefined || other.names[0] !== one.names[0]) return null;
      from = other.end;
      next += 1;
      continue;
    }
    next += length;
    const to = theirs[next]?.start ?? html.length;
    const before = marked.slice(ours[index - 1]?.end ?? 0, one.start);
    const after = marked.slice(one.end, ours[index + 1]?.start ?? marked.length);
    const piece = within(html.slice(from, to), before, after);
    if (piece === null) return null;
    pieces[at] = piece;
    from = to;
  }
  return pieces;
};

const within = (text: string, before: string, after: string): string | null =>
  text.length >= before.length + after.length && text.startsWith(before) && text.endsWith(after)
    ? text.slice(before.length, text.length - after.length)
    : null;
