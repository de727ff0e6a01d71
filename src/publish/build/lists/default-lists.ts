// Writes the default lists: for each variant the first `lists.max` records of its resource, and further pages where hosts
// run no code. They are answers of the packed tree, so they are what a query for them gives. A page that no edit has
// reached stays as it is.
import { setImmediate as tick } from 'node:timers/promises';
import { LIST_WARNING_BYTES } from '../../../base/limits.ts';
import {
  type ListVariant,
  RESOURCES,
  type Resource,
  SHAPES,
} from '../../../content/paths/endpoints.ts';
import { listFile } from '../../../content/paths/files.ts';
import type { ListPages } from '../../../content/paths/list-pages.ts';
import { answerList } from '../../../content/queries/answer.ts';
import { decodeJson } from '../../../content/tree/decode-chunk.ts';
import type { Root, TermKeys } from '../../../content/tree/tree.ts';
import type { TreeStore } from '../../../content/tree/tree-store.ts';
import { openPositions, type PositionRange } from '../../packed/chunk-range.ts';
import type { PassContext } from '../pass-context.ts';
import type { ListChanges, Pass } from '../render/resource-pass.ts';
import { putFile } from './put-file.ts';

type Input = {
  readonly store: TreeStore;
  readonly root: Root;
  readonly passes: ReadonlyMap<Resource, Pass>;
  readonly listPages: ListPages;
};

export const writeDefaultLists = async (context: PassContext, input: Input): Promise<void> => {
  for (const resource of RESOURCES) {
    const changes = input.passes.get(resource)?.lists;
    if (changes === undefined || !hasChanges(changes)) continue;
    await writeResource(context, input, { resource, changes });
    warnOfLength(context, input, resource);
  }
};

/** Page after page, all variants of each: they are made of the same blobs. */
const writeResource = async (
  context: PassContext,
  { store, root, listPages }: Input,
  { resource, changes }: Changed,
): Promise<void> => {
  const isChanged = changedPages(context, root, { resource, changes, limit: root.max });
  const written = SHAPES[resource].listVariants
    .filter(({ record }) => changes.isAll || changes.isMoved || changes.variants.has(record))
    .map((variant) => {
      const total = variant.publicOnly ? countPublic(context, root) : root[resource].total;
      return { variant, files: filesOf(listPages, Math.max(1, Math.ceil(total / root.max))) };
    });
  const last = written.reduce((most, { files }) => Math.max(most, files), 0);
  for (let page = 1; page <= last; page += 1) {
    if (!isChanged(page)) continue;
    for (const { variant, files } of written) {
      if (page > files) continue;
      const rawQuery = `${queryOf(resource, variant)}&page=${page}`;
      const body = await answerList(store, resource, { rawQuery, nowMs: 0 });
      await putList(context, listFile(resource, variant.name, page), body);
      await tick();
    }
  }
  for (const { variant, files } of written) {
    removePagesAfter(context, (page) => listFile(resource, variant.name, page), files);
  }
};

export const hasChanges = ({ isAll, isMoved, ids }: ListChanges): boolean =>
  isAll || isMoved || ids.length > 0;

/** A page that many edits reach is looked at no closer. */
const IDS_MAX = 10_000;

type Changed = { readonly resource: Resource; readonly changes: ListChanges };

/** Tells the pages of a resource's lists, of `limit` records each, that may differ, counted from 1. */
const changedPages = (
  { tree: { packer }, manifest }: PassContext,
  root: Root,
  { resource, changes, limit }: Changed & { readonly limit: number },
): ((page: number) => boolean) => {
  const { isAll, isMoved, ids } = changes;
  if (isAll || isMoved || resource !== 'posts' || ids.length > IDS_MAX) return () => true;
  const rangeOf = openPositions(packer.toolsOf('posts'), root.posts);
  const ranges = [...manifest.entries(resource, ids).values()].map(rangeOf);
  return (page) => ranges.some((range) => overlaps(range, page, limit));
};

const overlaps = ({ from, to }: PositionRange, page: number, max: number): boolean =>
  from < page * max && to > (page - 1) * max;

const queryOf = (resource: Resource, { name, publicOnly }: ListVariant): string => {
  const { includes, filter } = SHAPES[resource];
  const asked = includes.filter((include) =>
    `-${name}-`.includes(`-${include.replace('.', '-')}-`),
  );
  return `include=${asked.join()}&filter=${publicOnly ? (filter?.value ?? '') : ''}`;
};

const countPublic = ({ tree: { packer } }: PassContext, root: Root): number => {
  const keys = decodeJson<TermKeys>(packer.blobs.read(root.tags.keys));
  return keys.visibility.filter((visibility) => visibility === 'public').length;
};

/** Where no code runs, the page after the last one is a file, too: whoever follows pages until one is empty finds it. */
const filesOf = (pages: ListPages, count: number): number =>
  pages === 'all' ? count + 1 : Math.min(pages, count + 1);

const removePagesAfter = (
  { session, manifest }: PassContext,
  nameOf: (page: number) => string,
  last: number,
): void => {
  for (let page = last + 1; manifest.file(nameOf(page)) !== undefined; page += 1) {
    session.remove(nameOf(page));
    manifest.removeFile(nameOf(page));
  }
};

const putList = async (
  context: PassContext,
  name: string,
  body: readonly Uint8Array[],
): Promise<void> => {
  const { session, warnings } = context;
  const file = await session.writeFile(body);
  if (file.size > LIST_WARNING_BYTES) {
    const mebibytes = Math.round(file.size / 1024 / 1024);
    warnings.push(
      `${name} has ${mebibytes} MiB, over what some hosts take: a smaller lists.max makes it smaller.`,
    );
  }
  putFile(context, name, file);
};

const warnOfLength = (
  { warnings, tree }: PassContext,
  { root }: Input,
  resource: Resource,
): void => {
  const { total } = root[resource];
  const before = tree.packer.before?.[resource].total ?? 0;
  if (total <= root.max || before > root.max) return;
  warnings.push(
    `There are more ${resource} (${total}) than the setting lists.max (${root.max}): ` +
      'the default list holds the first of them, and lists.pages says how many further pages are files.',
  );
};
