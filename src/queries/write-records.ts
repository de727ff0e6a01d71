// Cuts the records of an answer out of blobs, with `fields`, plain texts and what is included, in the keys' order of the
// program's own documents: the record's keys, plaintext, authors, tags, primary_author, primary_tag. Runtime-neutral, and
// written so that the oldest of the edge runtimes can run it.
import { type Lines, lineEnd } from './decode-chunk.ts';
import type { RecordShape } from './list-query.ts';
import type { Spot } from './locate.ts';
import { eachField, encodeKeys } from './pick-fields.ts';
import { type Found, findRecordLines } from './records.ts';
import { type EmbeddedTerms, readEmbedded } from './terms.ts';
import type { Collection, Entry, Root } from './tree.ts';
import type { TreeStore } from './tree-store.ts';

/** What is written, and whether a comma has to come before the next key. */
export type Output = { readonly pieces: Uint8Array[]; isBegun: boolean };

const encoder = new TextEncoder();
export const encodeText = (text: string): Uint8Array => encoder.encode(text);

const COMMA = encodeText(',');
const OPEN = encodeText('{');
const CLOSE = encodeText('}');
const NULL = encodeText('null');
const END_OF_LIST = encodeText(']');

/** Directories that hold all that is asked for of each record. */
export const directoriesOf = (collection: Collection, shape: RecordShape): readonly Entry[] =>
  shape.hasHtml ? collection.leaves : collection.cards;

type Included = {
  readonly authors: EmbeddedTerms | null;
  readonly tags: EmbeddedTerms | null;
};

export type RecordsSource = {
  readonly store: TreeStore;
  readonly root: Root;
  readonly collection: Collection;
};

/** The records with commas between them. */
export const writeRecords = async (
  source: RecordsSource,
  spots: readonly Spot[],
  shape: RecordShape,
): Promise<Uint8Array[]> => {
  if (spots.length === 0) return [];
  const store = source.store;
  const directories = directoriesOf(source.collection, shape);
  const hasAuthors = shape.includes.indexOf('authors') !== -1;
  const hasTags = shape.includes.indexOf('tags') !== -1;
  const read = await Promise.all([
    findRecordLines(store, directories, spots),
    shape.hasPlaintext ? findRecordLines(store, source.collection.plain, spots) : null,
    hasAuthors ? readEmbedded(store, source.root.authors) : null,
    hasTags ? readEmbedded(store, source.root.tags) : null,
  ]);
  const plain = read[1];
  const included: Included = { authors: read[2], tags: read[3] };
  const writeOwn = ownKeysWriter(shape);
  const output: Output = { pieces: [], isBegun: false };
  read[0].forEach((found, at) => {
    if (at > 0) output.pieces.push(COMMA);
    writeOwn(output, found.chunk, found.line + 1);
    if (plain !== null) writePlain(output, plain[at] as Found);
    writeIncluded(output, found, { included, fields: shape.fields });
    output.pieces.push(CLOSE);
  });
  return output.pieces;
};

/** Writes a record without its closing brace. */
export const ownKeysWriter = (
  shape: RecordShape,
): ((output: Output, lines: Lines, line: number) => void) => {
  if (shape.fields === null) {
    return (output, lines, line) => {
      const start = lines.starts[line] as number;
      output.pieces.push(lines.bytes.subarray(start, lineEnd(lines, line) - 1));
      output.isBegun = true;
    };
  }
  const isHtmlAdded = shape.hasHtml && shape.fields.indexOf('html') === -1;
  const wanted = encodeKeys(isHtmlAdded ? shape.fields.concat('html') : shape.fields);
  return (output, lines, line) => {
    const bytes = lines.bytes;
    const start = lines.starts[line] as number;
    output.pieces.push(OPEN);
    output.isBegun = false;
    eachField({ bytes, start, end: lineEnd(lines, line) }, wanted, (from, _valueFrom, to) => {
      if (output.isBegun) output.pieces.push(COMMA);
      output.isBegun = true;
      output.pieces.push(bytes.subarray(from, to));
    });
  };
};

type KeyText = { readonly first: Uint8Array; readonly next: Uint8Array };

const keyText = (name: string, opening: string): KeyText => ({
  first: encodeText(`"${name}":${opening}`),
  next: encodeText(`,"${name}":${opening}`),
});

const PLAINTEXT = keyText('plaintext', '');
const AUTHORS = keyText('authors', '[');
const TAGS = keyText('tags', '[');
const PRIMARY_AUTHOR = keyText('primary_author', '');
const PRIMARY_TAG = keyText('primary_tag', '');

const writeKey = (output: Output, key: KeyText): void => {
  output.pieces.push(output.isBegun ? key.next : key.first);
  output.isBegun = true;
};

const writePlain = (output: Output, found: Found): void => {
  const chunk = found.chunk;
  const line = found.line + 1;
  writeKey(output, PLAINTEXT);
  output.pieces.push(chunk.bytes.subarray(chunk.starts[line] as number, lineEnd(chunk, line)));
};

type Inclusion = {
  readonly included: Included;
  readonly fields: readonly string[] | null;
};

/** With `fields`, the primary ones have to be named there; the lists are added anyway (facts 1.2). */
const writeIncluded = (output: Output, found: Found, inclusion: Inclusion): void => {
  const authors = inclusion.included.authors;
  const tags = inclusion.included.tags;
  const authorIds = linksOf(found, 'a');
  const tagIds = linksOf(found, 't');
  const fields = inclusion.fields;
  const isNamed = (key: string): boolean => fields === null || fields.indexOf(key) !== -1;
  if (authors !== null) writeList(output, AUTHORS, listOf(authors, authorIds));
  if (tags !== null) writeList(output, TAGS, listOf(tags, tagIds));
  if (authors !== null && isNamed('primary_author')) {
    const first = authors.find(authorIds[0] || '');
    writeKey(output, PRIMARY_AUTHOR);
    output.pieces.push(first === undefined ? NULL : first.json);
  }
  if (tags !== null && isNamed('primary_tag')) {
    const first = tags.find(tagIds[0] || '');
    writeKey(output, PRIMARY_TAG);
    output.pieces.push(first?.isPublic ? first.json : NULL);
  }
};

const linksOf = (found: Found, key: 't' | 'a'): readonly string[] => {
  const links = found.chunk.head[key];
  return links === undefined ? [] : (links[found.line] as readonly string[]);
};

const listOf = (terms: EmbeddedTerms, ids: readonly string[]): Uint8Array[] => {
  const shapes: Uint8Array[] = [];
  ids.forEach((id) => {
    const found = terms.find(id);
    if (found !== undefined) shapes.push(found.json);
  });
  return shapes;
};

const writeList = (output: Output, key: KeyText, shapes: readonly Uint8Array[]): void => {
  writeKey(output, key);
  shapes.forEach((shape, at) => {
    if (at > 0) output.pieces.push(COMMA);
    output.pieces.push(shape);
  });
  output.pieces.push(END_OF_LIST);
};
