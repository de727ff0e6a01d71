// Cuts the records of an answer out of blobs, with `fields`, plain texts and what is included, in the keys' order of the
// program's own documents: the record's keys, plaintext, authors, tags, primary_author, primary_tag. Runtime-neutral, and
// written so that the oldest of the edge runtimes can run it.
import { decodeLines, decodeText, encodeText } from './decode-chunk.ts';
import type { RecordShape } from './list-query.ts';
import { type Found, findLine } from './locate.ts';
import { pickFields } from './pick-fields.ts';
import type { TermsName } from './resource.ts';
import type { Tree } from './source.ts';
import type { Collection, Directory } from './tree.ts';

const COMMA = encodeText(',');
const OPEN = encodeText('{');
const OPEN_NEXT = encodeText(',{');
const CLOSE = encodeText('}');
const END_OF_LIST = encodeText(']');
const NULL = encodeText('null');
const PLAINTEXT = encodeText('"plaintext":');

/** What an answer is made of; `add` puts a member of the present record there, or a key whose value follows. */
export type Output = {
  readonly pieces: Uint8Array[];
  readonly add: (member: Uint8Array) => void;
};

/** Records with commas between them: of each the keys that the shape names, cut out of its JSON, and further ones. */
export const writeObjects = (
  records: readonly Uint8Array[],
  shape: RecordShape,
  writeFurther: (output: Output, at: number) => void,
): Uint8Array[] => {
  const pieces: Uint8Array[] = [];
  const fields = shape.fields;
  const wanted = fields && (shape.hasHtml ? fields.concat('html') : fields).map(keyText);
  let separator = OPEN;
  const add = (member: Uint8Array): void => {
    pieces.push(separator, member);
    separator = COMMA;
  };
  records.forEach((json, at) => {
    separator = at === 0 ? OPEN : OPEN_NEXT;
    if (wanted === null) add(json.subarray(1, -1));
    else pickFields(json, wanted).forEach(add);
    writeFurther({ pieces, add }, at);
    if (separator !== COMMA) pieces.push(separator);
    pieces.push(CLOSE);
  });
  return pieces;
};

const keyText = (name: string): Uint8Array => encodeText(`${JSON.stringify(name)}:`);

type Embedded = Readonly<Record<string, Uint8Array | undefined>>;

const ID_LENGTH = 24;

const decodeEmbedded = (bytes: Uint8Array): Embedded => {
  const byId: Record<string, Uint8Array> = {};
  decodeLines(bytes).forEach((line) => {
    byId[decodeText(line.subarray(0, ID_LENGTH))] = line.subarray(ID_LENGTH);
  });
  return byId;
};

/** Tags or authors of posts and pages: what stands for them, and the keys that they come under. */
type Included = {
  readonly isTags: boolean;
  readonly blobs: readonly Embedded[];
  readonly opening: Uint8Array;
  readonly primary: Uint8Array;
  readonly hasPrimary: boolean;
};

/** With `fields`, the primary ones have to be named there; the lists are added anyway (facts 1.2). */
const readIncluded = (
  tree: Tree,
  family: TermsName,
  fields: readonly string[] | null,
): Promise<Included> => {
  const name = `primary_${family.slice(0, -1)}`;
  return Promise.all(
    tree.root[family].embedded.map((entry) => tree.store.get(entry[0], decodeEmbedded)),
  ).then((blobs) => ({
    isTags: family === 'tags',
    blobs,
    opening: encodeText(`"${family}":[`),
    primary: keyText(name),
    hasPrimary: fields === null || fields.indexOf(name) !== -1,
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
      shape.includes.map((family) => readIncluded(tree, family as TermsName, shape.fields)),
    ),
  ]);
  const plain = read[1];
  return writeObjects(read[0].map(lineOf), shape, (output, at) => {
    if (plain !== null) {
      output.add(PLAINTEXT);
      output.pieces.push(lineOf(plain[at] as Found));
    }
    const found = read[0][at] as Found;
    const shapes = read[2].map((included) => shapesOf(included, found));
    read[2].forEach((included, nth) => {
      output.add(included.opening);
      (shapes[nth] as Uint8Array[]).forEach((json, place) => {
        if (place > 0) output.pieces.push(COMMA);
        output.pieces.push(json);
      });
      output.pieces.push(END_OF_LIST);
    });
    read[2].forEach((included, nth) => {
      const first = (shapes[nth] as Uint8Array[])[0];
      if (!included.hasPrimary) return;
      output.add(included.primary);
      output.pieces.push(first !== undefined && isShown(included, first) ? first : NULL);
    });
  });
};

const lineOf = (found: Found): Uint8Array => found.chunk.lines[found.line] as Uint8Array;

const shapesOf = (included: Included, found: Found): Uint8Array[] => {
  const shapes: Uint8Array[] = [];
  const links = found.chunk.head[included.isTags ? 't' : 'a'] || [];
  (links[found.line] || []).forEach((id) => {
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
  !included.isTags || decodeText(json).indexOf(PUBLIC) !== -1;
