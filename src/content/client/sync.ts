// What changed between two states of the packed tree. A token holds what it needs of the older one: the names of blobs, and
// the id and a digest of each record in them. So no blob of the older tree is read, which may be gone, and of the newer one
// those alone whose names are new, or whose records show a tag or an author that changed.
import { LISTED } from '../paths/address.ts';
import { readTree } from '../queries/answer.ts';
import { openCollection } from '../queries/collection.ts';
import { findRecords } from '../queries/find-records.ts';
import { type CollectionName, isTermsName, type TermsName } from '../queries/resource.ts';
import type { Source, Tree } from '../queries/source.ts';
import { openTerms } from '../queries/terms.ts';
import { decodeEmbedded } from '../queries/write-records.ts';
import { decodeJson, decodeText } from '../tree/decode-chunk.ts';
import type { Directory, Root } from '../tree/tree.ts';
import { digestOf } from './digest-of.ts';
import { asUnreadable, type Files } from './read-files.ts';
import type { Content, Delta, Resource, Shape } from './types.ts';

/** Raised when an older token would be misread. */
const TOKEN_FORMAT = 1;

const FAMILIES: readonly TermsName[] = ['tags', 'authors'];

/** By id. */
type Digests = { readonly [id: string]: string };

/** Records of a blob, which a directory names; tags and authors are one group, named after all of their blobs. */
type Group = readonly [directory: string, blob: string, digests: Digests];

/** Of a resource, of what posts show of tags and authors (`#tags`), or of the settings. */
type State = { readonly [part: string]: readonly Group[] };

type Part = { readonly groups: readonly Group[]; readonly read: readonly Item[] };

type Item = { readonly id: string };

export const createSync =
  <S extends Shape>(files: Files): Content<S>['sync'] =>
  (token, options = {}) =>
    readDelta<S>(files, token, options).catch((cause) => {
      const sentence = `A file below ${files.folder} is absent or damaged: deploy again.`;
      throw asUnreadable(cause, sentence);
    });

type Asked = NonNullable<Parameters<Content['sync']>[1]>;

const readDelta = async <S extends Shape>(
  { store, read }: Files,
  token: string | null | undefined,
  { only = LISTED }: Asked,
): Promise<Delta<S>> => {
  const asked = LISTED.filter((name) => only.indexOf(name) >= 0);
  if ([only].flat().some((name) => LISTED.indexOf(name) < 0))
    throw asUnreadable(null, `only takes ${LISTED}.`);
  const known = parseToken(token ?? '', asked);
  const parts = await readTree(store, (root) => readParts({ store, root }, asked, known ?? {}));
  if (only === LISTED) {
    const bytes = await read('settings/index.json');
    // A file that is not there, as in the middle of a deploy, says nothing of the settings.
    parts.settings =
      bytes === null ? { groups: known?.settings ?? [], read: [] } : readSettings(bytes);
  }
  const state = Object.fromEntries(Object.keys(parts).map((name) => [name, parts[name]?.groups]));
  const changesOf = (name: string) => compare(known?.[name], parts[name]);
  return {
    isFull: !known,
    token: JSON.stringify([TOKEN_FORMAT, asked, state]),
    ...Object.fromEntries(LISTED.map((name) => [name, changesOf(name)])),
    settings: (changesOf('settings').upserts[0] as { settings?: object })?.settings ?? null,
  } as unknown as Delta<S>;
};

const readSettings = (bytes: Uint8Array): Part => {
  const { settings } = decodeJson<{ settings: object }>(bytes);
  return partOf('', '', [JSON.stringify({ id: '', settings })]);
};

/** Null where it is none of this format, or of other resources. */
const parseToken = (token: string, asked: readonly Resource[]): State | null => {
  try {
    const [format, resources, state] = JSON.parse(token) as [number, Resource[], State];
    return format === TOKEN_FORMAT && `${resources}` === `${asked}` ? state : null;
  } catch {
    return null;
  }
};

const digestsOf = (groups: readonly Group[]): Digests =>
  Object.assign({}, ...groups.map((group) => group[2])) as Digests;

const compare = (
  known: readonly Group[] = [],
  { groups, read }: Part = { groups: [], read: [] },
) => {
  const before = digestsOf(known);
  const after = digestsOf(groups);
  return {
    upserts: read.filter(({ id }) => before[id] !== after[id]),
    deletions: Object.keys(before).filter((id) => after[id] === undefined),
  };
};

type Parts = { [name: string]: Part };

const readParts = async (tree: Tree, asked: readonly Resource[], known: State): Promise<Parts> => {
  const parts: Parts = {};
  const touched: { [family: string]: readonly string[] } = {};
  for (const name of asked.every(isTermsName) ? [] : FAMILIES) {
    const shown = await readShown(tree, name, known);
    parts[`#${name}`] = shown;
    const { upserts, deletions } = compare(known[`#${name}`], shown);
    touched[name] = upserts.map(({ id }) => id).concat(deletions);
  }
  await Promise.all(
    asked.map(async (name) => {
      parts[name] = await (isTermsName(name)
        ? readTerms(tree, name, known[name] ?? [])
        : readCollection(tree, name, { groups: known[name] ?? [], touched }));
    }),
  );
  return parts;
};

/** Known groups of that name, or what is read. */
const readUnless = async (
  known: readonly Group[],
  blob: string,
  work: () => Promise<readonly string[]>,
): Promise<Part> =>
  known[0]?.[1] === blob ? { groups: known, read: [] } : partOf('', blob, await work());

/** `texts`: JSON of records. */
const partOf = (directory: string, blob: string, texts: readonly string[]): Part => {
  const read = texts.map((text) => JSON.parse(text) as Item);
  const digests = read.map(({ id }, at) => [id, digestOf(texts[at] as string)]);
  return { groups: [[directory, blob, Object.fromEntries(digests)]], read };
};

const readShown = (tree: Tree, name: TermsName, known: State): Promise<Part> => {
  const blobs = tree.root[name].embedded.map(([blob]) => blob);
  return readUnless(known[`#${name}`] ?? [], blobs.join(), async () => {
    const read = await Promise.all(blobs.map((blob) => tree.store.get(blob, decodeEmbedded)));
    return read.flatMap((byId) =>
      Object.keys(byId).map((id) => decodeText(byId[id] as Uint8Array)),
    );
  });
};

const readTerms = (tree: Tree, name: TermsName, known: readonly Group[]): Promise<Part> => {
  const { total, records, keys, counts } = tree.root[name];
  const blob = [keys, counts, ...records.map(([one]) => one)].join();
  return readUnless(known, blob, () => readTexts(openTerms(tree, name, WITH_COUNT), 0, total));
};

const SHAPE = { fields: null, hasHtml: true, hasPlaintext: false };
const WITH_COUNT = { ...SHAPE, includes: ['count.posts'] };
const WITH_LINKS = { ...SHAPE, includes: ['authors', 'tags'] };

const readTexts = (source: Source, from: number, count: number): Promise<string[]> =>
  Promise.all(
    new Array(count)
      .fill(from)
      .map(async (first, at) => (await source.write([first + at])).map(decodeText).join('')),
  );

type Known = {
  readonly groups: readonly Group[];
  readonly touched: { readonly [family: string]: readonly string[] };
};

const readCollection = async (tree: Tree, name: CollectionName, known: Known): Promise<Part> => {
  const source = openCollection(tree, name, WITH_LINKS);
  const touched = await findTouched(source, name, known);
  const byBlob = new Map(known.groups.map((group) => [group[1], group]));
  let end = 0;
  const parts = (await listLeaves(tree, tree.root[name].leaves, known.groups)).map(
    async ({ directory, blob, count }): Promise<Part> => {
      const from = end;
      end += count;
      const group = byBlob.get(blob);
      const isSame = touched.slice(from, from + count).indexOf(true) < 0;
      if (group && isSame) return { groups: [[directory, blob, group[2]]], read: [] };
      return partOf(directory, blob, await readTexts(source, from, count));
    },
  );
  const all = await Promise.all(parts);
  return { groups: all.flatMap(({ groups }) => groups), read: all.flatMap(({ read }) => read) };
};

/** By position: true of records that show what changed. */
const findTouched = async (source: Source, name: CollectionName, { groups, touched }: Known) => {
  const isTouched = new Array<boolean>(source.total).fill(false);
  const found = FAMILIES.map(async (family) => {
    const values = touched[family] ?? [];
    if (groups.length === 0 || values.length === 0) return;
    const filter = { kind: 'in', field: `${family}.id`, values } as const;
    const query = { ...WITH_LINKS, filter, order: [], page: 1, limit: Math.max(1, source.total) };
    for (const at of (await findRecords(source, name, query)).positions) isTouched[at] = true;
  });
  await Promise.all(found);
  return isTouched;
};

type Leaf = { readonly directory: string; readonly blob: string; readonly count: number };

/** Directories that are known are not read. */
const listLeaves = async (
  { store }: Tree,
  directories: Root['posts']['leaves'],
  known: readonly Group[],
): Promise<Leaf[]> => {
  const lists = directories.map(async ([directory]): Promise<Leaf[]> => {
    const same = known.filter((group) => group[0] === directory);
    if (same.length > 0) {
      return same.map(([, blob, ids]) => ({ directory, blob, count: Object.keys(ids).length }));
    }
    const entries = await store.get<Directory>(directory, decodeJson);
    return entries.map(([blob, count]) => ({ directory, blob, count }));
  });
  return (await Promise.all(lists)).flat();
};
