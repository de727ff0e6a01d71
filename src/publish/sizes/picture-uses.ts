// Which pictures a record shows, and in which sizes. Pictures of bodies and features have the widths of the settings; the
// icon has its own size; sizes that a text names, as `srcset` does, are those.
import { toText } from '../../base/text/stored-text.ts';
import type { Resource } from '../../content/paths/endpoints.ts';
import { originalOf, sizeOf } from '../../content/paths/files.ts';
import { createFileFinder } from '../../publication/import/images/named-files.ts';
import type { SourceOf } from '../../publication/snapshot/snapshot.ts';
import type { Use } from './sizes-index.ts';
import { ICON_SIZE } from './wanted-sizes.ts';

type Row = Readonly<Record<string, unknown>>;

/** Columns whose pictures have the widths of the settings. */
const SHOWN: Readonly<Record<Resource, readonly string[]>> = {
  posts: ['html', 'feature_image'],
  pages: ['html', 'feature_image'],
  tags: ['feature_image'],
  authors: ['profile_image', 'cover_image'],
};

/** `sites`: addresses of the site, without a slash at the end. */
export const usesOfRecord = (
  resource: Resource,
  source: SourceOf[Resource],
  sites: readonly string[],
): { readonly id: string; readonly uses: readonly Use[] } => {
  const row = 'post' in source ? source.post : 'tag' in source ? source.tag : source.author;
  return { id: row.id, uses: usesOf(row as unknown as Row, SHOWN[resource], sites) };
};

export const usesOfSettings = (
  settings: ReadonlyMap<string, string | null>,
  sites: readonly string[],
): readonly Use[] => [
  ...usesOf(Object.fromEntries(settings), ['cover_image'], sites),
  ...findPaths([settings.get('icon')], sites).map((path) => ({
    path: originalOf(path),
    size: ICON_SIZE,
  })),
];

const usesOf = (row: Row, shown: readonly string[], sites: readonly string[]): Use[] => {
  const others = Object.keys(row).filter((column) => !shown.includes(column));
  const textsOf = (columns: readonly string[]): unknown[] => columns.map((column) => row[column]);
  return [
    ...findPaths(textsOf(shown), sites),
    ...findPaths(textsOf(others), sites).filter((path) => sizeOf(path) !== null),
  ].map((path) => ({ path: originalOf(path), size: sizeOf(path) ?? '' }));
};

const FILES_MAX = 100_000;

const findPaths = (texts: readonly unknown[], sites: readonly string[]): string[] => {
  const finder = createFileFinder({ sites, filesMax: FILES_MAX });
  for (const text of texts) finder.read(toText(text));
  return [...finder.found.paths].filter((path) => path.startsWith('images/'));
};
