// Cuts the records of an answer out of blobs, with `fields`, plain texts and what is included, in the keys' order of the
// program's own documents: the record's keys, plaintext, authors, tags, primary_author, primary_tag. In Ghost's shape
// plaintext stands among the record's keys, tags before authors, tiers after them, and then the record's last keys.
// Runtime-neutral, and written so that the oldest of the edge runtimes can run it.
import { decodeLines, decodeText, encodeText } from '../tree/decode-chunk.ts';
import { type Found, findLine } from '../tree/find-in-directory.ts';
import type { Collection, Directory, Embedding } from '../tree/tree.ts';
import { type RecordShape, TIERS } from './list-query.ts';
import { pickFields, standsAt } from './pick-fields.ts';
import type { Tree } from './source.ts';

const COMMA = encodeText(',');
const OPEN = encodeText('{');
const OPEN_NEXT = encodeText(',{');
const CLOSE = encodeText('}');
const END_OF_LIST = encodeText(']');
const NULL = encodeText('null');
const NOTHING = encodeText('');
const QUOTE = 0x22;

const keyText = (name: string): Uint8Array => encodeText(`${JSON.stringify(name)}:`);

const PLAINTEXT = keyText('plaintext');

/** What an answer is made of; `add` puts a member of the present record there, or a key whose value follows. */
export type Output = {
  readonly pieces: Uint8Array[];
  readonly add: (member: Uint8Array) => void;
};

type Written = {
  readonly lines: readonly Uint8Array[];
  readonly shape: RecordShape;
  /** Called behind the first part of a record's keys (1), and behind the second (2). */
  readonly write: (output: Output, at: number, part: number) => void;
};

/** Records with commas between them: of each the keys that the shape names, cut out of its JSON, and further ones. */
export const writeObjects = (tree: Tree, written: Written): Uint8Array[] => {
  const pieces: Uint8Array[] = [];
  const shape = written.shape;
  const fields = shape.fields;
  const wanted = fields
    ?.concat(shape.hasHtml ? 'html' : [], shape.hasPlaintext ? 'plaintext' : [])
    .map(keyText);
  let separator = OPEN;
  const add = (member: Uint8Array): void => {
    pieces.push(separator, member);
    separator = COMMA;
  };
  written.lines.forEach((json, at) => {
    separator = at === 0 ? OPEN : OPEN_NEXT;
    const parts = tree.root.tiers
      ? ghostParts(json, shape.hasPlaintext)
      : [json.subarray(0, -1), NOTHING, NOTHING];
    parts.forEach((part, nth) => {
      if (nth > 0) written.write({ pieces, add }, at, nth);
      if (wanted) pickFields(part, wanted).forEach(add);
      else if (part.length > 0) add(part.subarray(1));
    });
    if (separator !== COMMA) pieces.push(separator);
    pieces.push(CLOSE);
  });
  return pieces;
};

const URL_KEY = encodeText(',"url":');
const KEY_AFTER_TEXT = encodeText(',"feature_image":');

/**
 * The keys before plaintext, those before what is included, and those after it. A text that the record says itself is
 * moved to the place where it was asked for.
 */
const ghostParts = (json: Uint8Array, hasPlaintext: boolean): Uint8Array[] => {
  const url = keyAt(json, URL_KEY, json.length);
  const rest = json.subarray(url, -1);
  if (!hasPlaintext) return [json.subarray(0, url), NOTHING, rest];
  const text = keyAt(json, KEY_AFTER_TEXT, url);
  const keys = decodeText(rest);
  const from = keys.indexOf(',"plaintext":');
  const to = from === -1 ? from : keys.indexOf(',"comments":');
  return [
    json.subarray(0, text),
    encodeText(keys.slice(from, to) + decodeText(json.subarray(text, url))),
    encodeText(keys.slice(0, from) + keys.slice(to)),
  ];
};

/**
 * The comma before a key, looked for from behind: html is far from there. Within a text each quotation mark has a backslash
 * before it.
 */
const keyAt = (json: Uint8Array, key: Uint8Array, end: number): number => {
  let at = end;
  while (!standsAt(json, key, at)) at -= 1;
  return at;
};

type IncludedName = keyof typeof LINKS;

export type Embedded = Readonly<Record<string, Uint8Array | undefined>>;

const ID_LENGTH = 24;

export const decodeEmbedded = (bytes: Uint8Array): Embedded => {
  const byId: Record<string, Uint8Array> = {};
  decodeLines(bytes).forEach((line) => {
    byId[decodeText(line.subarray(0, ID_LENGTH))] = line.subarray(ID_LENGTH);
  });
  return byId;
};

/** Tags, authors or tiers of posts and pages: what stands for them, and the keys that they come under. */
type Included = {
  readonly family: IncludedName;
  readonly blobs: readonly Embedded[];
  readonly opening: Uint8Array;
  /** Null where it is not asked for: with `fields`, it has to be named there; lists are added anyway (facts 1.2). */
  readonly primary: Uint8Array | null;
};

const readIncluded = (
  tree: Tree,
  family: IncludedName,
  fields: readonly string[] | null,
): Promise<Included> => {
  const name = `primary_${family.slice(0, -1)}`;
  const isShown = fields ? fields.indexOf(name) >= 0 : family !== TIERS;
  return Promise.all(
    (tree.root[family] as Embedding).embedded.map((entry) =>
      tree.store.get(entry[0], decodeEmbedded),
    ),
  ).then((blobs) => ({
    family,
    blobs,
    opening: encodeText(`"${family}":[`),
    primary: isShown ? keyText(name) : null,
  }));
};

type Wanted = {
  readonly collection: Collection;
  readonly directories: Directory;
  readonly positions: readonly number[];
  readonly shape: RecordShape;
};

export const writeRecords = async (tree: Tree, wanted: Wanted): Promise<Uint8Array[]> => {
  const shape = wanted.shape;
  const findAll = (directories: Directory): Promise<Found[]> =>
    Promise.all(wanted.positions.map((at) => findLine(tree.store, directories, at)));
  const read = await Promise.all([
    findAll(wanted.directories),
    shape.hasPlaintext ? findAll(wanted.collection.plain) : null,
    Promise.all(
      (shape.includes as IncludedName[])
        .filter((family) => tree.root[family])
        .map((family) => readIncluded(tree, family, shape.fields)),
    ),
  ]);
  const plain = read[1];
  // In Ghost's shape, tags come first.
  const listed = tree.root.tiers
    ? read[2].filter(isTags).concat(read[2].filter((included) => !isTags(included)))
    : read[2];
  const writeText = (output: Output, at: number): void => {
    const text = plain && lineOf(plain[at] as Found);
    // In Ghost's shape a record without a text has no such key.
    if (text === null || (tree.root.tiers && text[0] !== QUOTE)) return;
    output.add(PLAINTEXT);
    output.pieces.push(text);
  };
  const writeIncluded = (output: Output, at: number): void => {
    const found = read[0][at] as Found;
    listed.forEach((included) => {
      output.add(included.opening);
      shapesOf(included, found).forEach((json, place) => {
        if (place > 0) output.pieces.push(COMMA);
        output.pieces.push(json);
      });
      output.pieces.push(END_OF_LIST);
    });
    read[2].forEach((included) => {
      if (included.primary === null) return;
      const first = shapesOf(included, found)[0];
      output.add(included.primary);
      output.pieces.push(first && isShown(included, first) ? first : NULL);
    });
  };
  return writeObjects(tree, {
    lines: read[0].map(lineOf),
    shape,
    write: (output, at, part) => (part === 1 ? writeText : writeIncluded)(output, at),
  });
};

const lineOf = (found: Found): Uint8Array => found.chunk.lines[found.line] as Uint8Array;

const isTags = (included: Included): boolean => included.family === 'tags';

const LINKS = { tags: 't', authors: 'a', tiers: 'p' } as const;

const shapesOf = (included: Included, found: Found): Uint8Array[] => {
  const shapes: Uint8Array[] = [];
  const links = found.chunk.head[LINKS[included.family]] as readonly (readonly string[])[];
  (links[found.line] as readonly string[]).forEach((id) => {
    included.blobs.forEach((byId) => {
      const json = byId[id];
      if (json !== undefined) shapes.push(json);
    });
  });
  return shapes;
};

/** Within a text a backslash would stand before each quotation mark. */
const PUBLIC = '"visibility":"public"';

/** An internal tag is no primary one. */
const isShown = (included: Included, json: Uint8Array): boolean =>
  !isTags(included) || decodeText(json).indexOf(PUBLIC) >= 0;
