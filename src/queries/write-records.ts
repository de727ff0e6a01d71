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

type Pieces = readonly Uint8Array[];

const COMMA = encodeText(',');
const OPEN = encodeText('{');
const CLOSE = encodeText('}');
const END_OF_LIST = encodeText(']');
const NULL = encodeText('null');

const withCommas = (items: readonly Pieces[]): Uint8Array[] => {
  const pieces: Uint8Array[] = [];
  items.forEach((item, at) => {
    if (at > 0) pieces.push(COMMA);
    item.forEach((piece) => {
      pieces.push(piece);
    });
  });
  return pieces;
};

/** Records with commas between them: of each the keys that the shape names, cut out of its JSON, and further ones. */
export const writeObjects = (
  records: readonly Uint8Array[],
  shape: RecordShape,
  furtherOf: (at: number) => readonly Pieces[],
): Uint8Array[] => {
  const fields = shape.fields;
  const wanted = fields && (shape.hasHtml ? fields.concat('html') : fields).map(keyText);
  return withCommas(
    records.map((json, at) => {
      const own = wanted === null ? [json.subarray(1, -1)] : pickFields(json, wanted);
      const members = own.map((piece): Pieces => [piece]).concat(furtherOf(at));
      return [OPEN].concat(withCommas(members), CLOSE);
    }),
  );
};

const keyText = (name: string): Uint8Array => encodeText(`${JSON.stringify(name)}:`);

type Embedded = Readonly<Record<string, Uint8Array | undefined>>;

const ID_LENGTH = 24;

const decodeEmbedded = (bytes: Uint8Array): Embedded => {
  const byId: Record<string, Uint8Array> = Object.create(null);
  decodeLines(bytes).forEach((line) => {
    byId[decodeText(line.subarray(0, ID_LENGTH))] = line.subarray(ID_LENGTH);
  });
  return byId;
};

/** What stands for tags or authors in posts and pages. */
type Included = {
  readonly family: TermsName;
  readonly blobs: readonly Embedded[];
};

const readIncluded = (tree: Tree, family: TermsName): Promise<Included> =>
  Promise.all(
    tree.root[family].embedded.map((entry) => tree.store.get(entry[0], decodeEmbedded)),
  ).then((blobs) => ({ family, blobs }));

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
    Promise.all(shape.includes.map((family) => readIncluded(tree, family as TermsName))),
  ]);
  const plain = read[1];
  return writeObjects(read[0].map(lineOf), shape, (at) => {
    const included = includedMembers(read[0][at] as Found, read[2], shape.fields);
    return plain === null
      ? included
      : [[keyText('plaintext'), lineOf(plain[at] as Found)] as Pieces].concat(included);
  });
};

const lineOf = (found: Found): Uint8Array => found.chunk.lines[found.line] as Uint8Array;

const PUBLIC = '"visibility":"public"';

/** With `fields`, the primary ones have to be named there; the lists are added anyway (facts 1.2). */
const includedMembers = (
  found: Found,
  included: readonly Included[],
  fields: readonly string[] | null,
): Pieces[] => {
  const lists: Pieces[] = [];
  const primary: Pieces[] = [];
  included.forEach((one) => {
    const isTags = one.family === 'tags';
    const ids = (found.chunk.head[isTags ? 't' : 'a'] || [])[found.line] || [];
    const shapes: Uint8Array[] = [];
    ids.forEach((id) => {
      one.blobs.forEach((byId) => {
        const json = byId[id];
        if (json !== undefined) shapes.push(json);
      });
    });
    lists.push(
      [encodeText(`"${one.family}":[`)].concat(
        withCommas(shapes.map((json) => [json])),
        END_OF_LIST,
      ),
    );
    const key = `primary_${one.family.slice(0, -1)}`;
    if (fields !== null && fields.indexOf(key) === -1) return;
    const first = shapes[0];
    // Within a text a backslash would stand before each quotation mark.
    const isShown = first !== undefined && (!isTags || decodeText(first).indexOf(PUBLIC) !== -1);
    primary.push([keyText(key), isShown ? first : NULL]);
  });
  return lists.concat(primary);
};
