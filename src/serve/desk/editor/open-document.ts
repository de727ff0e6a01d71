// Opens a document in the editor. What it knows becomes text that can be edited, everything else a card that
// is kept; for each node of the document its own JSON text is remembered, for writing it back as it was.

import {
  $createParagraphNode,
  $getRoot,
  $isElementNode,
  $isTextNode,
  type ElementNode,
  type LexicalEditor,
  type LexicalNode,
  type NodeKey,
} from 'lexical';
import { findMember, type JsonPlace, placeValues } from '../../../base/text/json-places.ts';
import { isJsonObject } from '../../../base/text/json-value.ts';
import { $createCardNode, $createKeptInlineNode } from './card-node.ts';
import type { Fields } from './card-texts.ts';
import { $fingerprint } from './fingerprint.ts';
import { formOf } from './ghost-forms.ts';
import {
  $createKnownBreak,
  $createKnownItem,
  $createKnownLink,
  $createKnownList,
  $createKnownText,
  $createKnownTextBlock,
} from './known-nodes.ts';

/** A node as it stood in the document. */
export type Source = {
  readonly text: string;
  readonly place: JsonPlace;
  /** Its form and its fingerprint while nothing was edited. */
  readonly form: Fields;
  readonly fingerprint: string;
};

export type OpenDocument = {
  readonly text: string;
  /** The place of the blocks within the text. */
  readonly blocks: JsonPlace;
  readonly sources: ReadonlyMap<NodeKey, Source>;
  /** The blocks while nothing was edited. */
  readonly fingerprint: string;
};

type Written = { readonly place: JsonPlace; readonly fields: Fields };

type Reading = { readonly text: string; readonly written: Map<NodeKey, Written> };

const EMPTY_PARAGRAPH =
  '{"children":[],"direction":null,"format":"","indent":0,"type":"paragraph","version":1}';

/** A document with one block, given as JSON text. One without blocks cannot be rendered, so it never leaves the editor. */
export const documentOf = (block: string = EMPTY_PARAGRAPH): string =>
  `{"root":{"children":[${block}],"direction":null,"format":"","indent":0,"type":"root","version":1}}`;

/** The document with an empty paragraph where it has no block at all. */
export const withBlock = (text: string): string => {
  const blocks = findBlocks(text);
  return blocks === null || blocks.items?.length !== 0
    ? text
    : `${text.slice(0, blocks.start)}[${EMPTY_PARAGRAPH}]${text.slice(blocks.end)}`;
};

/** Null for a text that is no document: nothing can be written into it. */
export const openDocument = (editor: LexicalEditor, text: string): OpenDocument | null => {
  const blocks = findBlocks(text);
  if (blocks === null) return null;
  const reading: Reading = { text, written: new Map() };
  editor.update(
    () => {
      const nodes = (blocks.items ?? []).map((place) => $readBlock(reading, place));
      $getRoot()
        .clear()
        .append(...(nodes.length > 0 ? nodes : [$createParagraphNode()]));
    },
    { discrete: true, skipTransforms: true, tag: 'history-merge' },
  );
  return editor.getEditorState().read(() => ({
    text,
    blocks,
    sources: $sourcesOf(reading),
    fingerprint: $fingerprint($getRoot()),
  }));
};

const findBlocks = (text: string): JsonPlace | null => {
  try {
    const root = findMember(placeValues(text), 'root');
    const children = root === undefined ? undefined : findMember(root, 'children');
    const isReadable = children?.items?.every((place) => place.members !== null);
    return children !== undefined && isReadable === true ? children : null;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return null;
    throw error;
  }
};

/** Neighbouring texts of one format become one node when they are opened: it has no source of its own. */
const $sourcesOf = ({ text, written }: Reading): Map<NodeKey, Source> => {
  const sources = new Map<NodeKey, Source>();
  const visit = (node: LexicalNode): void => {
    const one = written.get(node.getKey());
    if (one !== undefined) {
      const form = formOf(node);
      const source = { text, place: one.place, form, fingerprint: $fingerprint(node) };
      if (!$isTextNode(node) || form.text === one.fields.text) sources.set(node.getKey(), source);
    }
    if ($isElementNode(node)) node.getChildren().forEach(visit);
  };
  $getRoot().getChildren().forEach(visit);
  return sources;
};

const sliceOf = ({ text }: Reading, { start, end }: JsonPlace): string => text.slice(start, end);

const $readBlock = (reading: Reading, place: JsonPlace): LexicalNode =>
  $readTextBlock(reading, place) ??
  $readList(reading, place) ??
  $createCardNode(sliceOf(reading, place));

/** The fields of an object without its children; null when a name stands in it twice. */
const readFields = (reading: Reading, place: JsonPlace): Fields | null => {
  const { members } = place;
  if (members === null || new Set(members.map(({ name }) => name)).size < members.length)
    return null;
  return Object.fromEntries(
    members
      .filter(({ name }) => name !== 'children')
      .map(({ name, place: value }) => [name, JSON.parse(sliceOf(reading, value)) as unknown]),
  );
};

type Create = (fields: Fields) => LexicalNode | null;

const $readNode = (reading: Reading, place: JsonPlace, create: Create): LexicalNode | null => {
  const fields = readFields(reading, place);
  const node = fields === null ? null : create(fields);
  if (fields !== null && node !== null) reading.written.set(node.getKey(), { place, fields });
  return node;
};

type ReadChild = (reading: Reading, place: JsonPlace) => LexicalNode | null;

/** An element with its children; null unless each of them can be read. */
const $readElement = (
  reading: Reading,
  place: JsonPlace,
  [create, readChild]: readonly [Create, ReadChild],
): ElementNode | null => {
  const node = $readNode(reading, place, create) as ElementNode | null;
  const places = findMember(place, 'children')?.items;
  if (node === null || places === null || places === undefined) return null;
  const children = places.map((child) => readChild(reading, child));
  const read = children.filter((child) => child !== null);
  return read.length < children.length ? null : node.append(...read);
};

const $readTextBlock = (reading: Reading, place: JsonPlace): LexicalNode | null =>
  $readElement(reading, place, [$createKnownTextBlock, $readInline]);

const $readPlainInline = (reading: Reading, place: JsonPlace): LexicalNode | null => {
  if (place.members === null) return null;
  return (
    $readNode(reading, place, $createKnownText) ??
    $readNode(reading, place, $createKnownBreak) ??
    $createKeptInlineNode(sliceOf(reading, place))
  );
};

/** An empty link is taken away by Lexical, so that it is kept whole instead. */
const $readInline = (reading: Reading, place: JsonPlace): LexicalNode | null => {
  const link = $readElement(reading, place, [$createKnownLink, $readPlainInline]);
  return link !== null && link.getTextContentSize() > 0 ? link : $readPlainInline(reading, place);
};

const $readList = (reading: Reading, place: JsonPlace): LexicalNode | null => {
  const list = $readElement(reading, place, [$createKnownList, $readItem]);
  return list !== null && list.getChildrenSize() > 0 ? list : null;
};

const $readItem = (reading: Reading, place: JsonPlace): LexicalNode | null => {
  const [first, ...others] = findMember(place, 'children')?.items ?? [];
  const isNesting = first !== undefined && others.length === 0 && isList(reading, first);
  return $readElement(reading, place, [$createKnownItem, isNesting ? $readList : $readInline]);
};

const isList = (reading: Reading, place: JsonPlace): boolean => {
  const value: unknown = JSON.parse(sliceOf(reading, place));
  return isJsonObject(value) && value.type === 'list';
};
