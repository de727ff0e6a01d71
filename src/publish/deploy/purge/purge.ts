// File -> the addresses that it answers, in every spelling of their queries that clients send: what a cache
// whose key is the whole address has to forget when the file changes.
import { forEachYielding } from '../../../base/threads/for-each-yielding.ts';
import type { NameOptions } from '../../../content/paths/changed-names.ts';
import { combinationsOf } from '../../../content/paths/combinations.ts';
import { GHOST_PREFIXES } from '../../../content/paths/content-path.ts';
import { RESOURCES, type Resource } from '../../../content/paths/endpoints.ts';
import { FIXED_FILES } from '../../../content/paths/files.ts';
import { keptVariant, type Selection } from '../../../content/paths/selection.ts';
import { findDocument } from '../../../content/paths/sidecars.ts';
import { type Parameters, spellings } from './query-spellings.ts';

export type PurgeOptions = NameOptions & {
  /** What hosts are given of the tree: a file is also sent for those that are left out. Absent: all. */
  readonly selection?: Selection;
  /** The variant that addresses show whatever their query, where there are `index.html` copies. */
  readonly shown?: (resource: Resource, kind: Kind) => string;
  /** Slugs by which a record is found that has files by id only: as they are, or as they are stored. */
  readonly slugsOfId?: (resource: string, id: string) => readonly string[];
};

type Kind = 'list' | 'record';

/**
 * `file` is relative to the content folder. The path of the file itself is among the addresses; a sidecar has no
 * other, since what caches know by the address of its document they forget with that.
 */
export const purgeAddresses = (file: string, options: PurgeOptions): string[] => {
  const [, folder = '', name = ''] = /^(?:(.*)\/)?([^/]+)$/.exec(encoded(file)) ?? [];
  const queries = findDocument(file) === null ? queriesOf(folder, name, options) : [];
  const folders = [folder, ...otherNames(folder, options)];
  const files = [file, ...copiesOf(file, options)].map(encoded);
  return prefixesOf(options.basePath).flatMap((prefix) => [
    ...files.map((one) => `${prefix}/content/${one}`),
    ...folders.flatMap((one) =>
      queries.map((query) => `${prefix}/content/${one}/${query === '' ? '' : `?${query}`}`),
    ),
  ]);
};

/** The addresses of a file that lies beside the content: of a page for people, its folder too. */
export const pageAddresses = (path: string): string[] => {
  const name = `/${encoded(path)}`;
  return name.endsWith('/index.html') ? [name, name.slice(0, -'index.html'.length)] : [name];
};

/** Of more files the list would take longer to make, and to work through, than it saves. */
const PURGED_FILES_MAX = 5_000;
/** One has hundreds of addresses. */
const FILES_PER_TICK = 100;

/** The addresses of some files; of thousands, patterns of all addresses. */
export const purgeOf = async (
  files: readonly string[],
  options: PurgeOptions,
): Promise<string[]> => {
  if (files.length > PURGED_FILES_MAX) return everyAddress(options.basePath);
  const addresses: string[][] = [];
  await forEachYielding(
    files,
    (file) => addresses.push(purgeAddresses(file, options)),
    FILES_PER_TICK,
  );
  return [...new Set(addresses.flat())];
};

/** Patterns of all addresses, for caches that are to forget everything. */
export const everyAddress = (basePath: string): string[] => [
  ...new Set([`${basePath}/content/*`, '/ghost/api/*', `${basePath}/ghost/api/*`]),
];

/** The `index.html` beside a file that holds the same bytes, relative to the content folder as well. */
export const copiesOf = (file: string, { shown }: Pick<PurgeOptions, 'shown'>): string[] => {
  const [, folder = '', name = ''] = /^(?:(.*)\/)?([^/]+)[.]json$/.exec(file) ?? [];
  if (shown === undefined || folder === '') return [];
  const [resource = '', ...rest] = folder.split('/');
  const isShown =
    isFixed(folder) || (isResource(resource) && shown(resource, kindOf(rest)) === name);
  return isShown ? [`${folder}/index.html`] : [];
};

const isFixed = (folder: string): boolean => FIXED_FILES.includes(`${folder}/index.json`);

const kindOf = (rest: readonly string[]): Kind => (rest.length === 0 ? 'list' : 'record');

const prefixesOf = (basePath: string): string[] => [
  ...new Set([
    basePath,
    ...GHOST_PREFIXES,
    ...GHOST_PREFIXES.map((prefix) => `${basePath}${prefix}`),
  ]),
];

/** Folders that are asked for by a slug that is not their name. */
const otherNames = (folder: string, { slugOf, slugsOfId }: PurgeOptions): string[] => {
  const [resource = '', second = '', third] = folder.split('/');
  const isSlug = second === 'slug' && third !== undefined;
  const slugs = isSlug
    ? [slugOf?.(resource, third)]
    : third === undefined && second !== ''
      ? [...(slugsOfId?.(resource, second) ?? [])]
      : [];
  return slugs.flatMap((slug) =>
    slug === undefined ? [] : [`${resource}/slug/${encodeURIComponent(slug)}`],
  );
};

const encoded = (file: string): string => file.split('/').map(encodeURIComponent).join('/');

const queriesOf = (folder: string, name: string, options: PurgeOptions): string[] => {
  const [resource = '', ...rest] = folder.split('/');
  if (isFixed(folder)) return [''];
  if (!isResource(resource)) return [];
  const [, page, suffix] = /^page-(\d+)(?:-(.+))?\.json$/.exec(name) ?? [];
  const variant = page === undefined ? name.slice(0, -'.json'.length) : (suffix ?? 'index');
  const kind = kindOf(rest);
  // The first page may be asked for by its number.
  const pagings: Parameters[] =
    page !== undefined ? [[['page', page]]] : kind === 'list' ? [[], [['page', '1']]] : [[]];
  const isShown = page === undefined && options.shown?.(resource, kind) === variant;
  const kept = options.selection?.variants ?? null;
  const isSentFor = (asked: string): boolean =>
    kind === 'record' && keptVariant(resource, asked, kept) === variant;
  return combinationsOf(resource, kind)
    .filter((one) => isShown || one.variant === variant || isSentFor(one.variant))
    .flatMap(({ parameters }) =>
      pagings.flatMap((paging) => spellings([...parameters, ...paging])),
    );
};

const isResource = (name: string): name is Resource =>
  RESOURCES.some((resource) => resource === name);
