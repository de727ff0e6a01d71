// What is put into a worker when it is bundled, beside what all edge code is told: which addresses of the site have no file
// of their own, because the worker answers them from the packed tree.

import type { Resource } from '../paths/endpoints.ts';
import { slugFolder } from '../paths/files.ts';
import type { FindSegment } from '../paths/locate-path.ts';
import type { Profile } from '../paths/selection.ts';
import type { Found } from '../queries/plan-answer.ts';
import type { EdgeSite } from './edge-site.ts';

/** `keyHashes` are in base64url, as edge-tree.ts makes them. */
export type WorkerSite = EdgeSite & {
  readonly profile: Profile;
  /** Record variants without files: resource, slash, name of the file. */
  readonly dropped: readonly string[];
  /** Patterns of the paths that a worker is called for, where it says so itself. */
  readonly routes: readonly string[];
};

/** False for lists and records that the site has no file of; `file` is the one that would be the answer. */
export const hasFile = (site: WorkerSite, found: Found, file: string): boolean => {
  if (found.kind === 'file') return true;
  const { resource } = found;
  if (site.profile === 'packed') return false;
  if (found.kind === 'list') return !/\/page-/.test(file) || site.paged.indexOf(resource) !== -1;
  if (site.profile === 'by-id' && /\/slug\//.test(found.folder)) return false;
  return site.dropped.indexOf(resource + file.slice(found.folder.length)) === -1;
};

/** Signs that no name of a file has, and stores may read in their own way. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters among them
const ODD = /[\\?%:*"<>|\0-\x1f]/;

/** Where a file of a slug would be; whether it is there is seen when it is asked for. */
export const segmentOf = ({ names }: WorkerSite): FindSegment => {
  // No name of the prototype has a slash.
  return (resource, slug) =>
    names[`${resource}/${slug}`] ?? (ODD.test(slug) ? null : slug.normalize());
};

/** Slugs that do not stand as they are, by the folder of their files. */
export const slugsOf = ({ names }: WorkerSite): Readonly<Record<string, string | undefined>> => {
  const slugs: Record<string, string> = {};
  for (const name in names) {
    const [resource = '', ...slug] = name.split('/');
    slugs[slugFolder(resource as Resource, names[name] ?? '')] = slug.join('/');
  }
  return slugs;
};
