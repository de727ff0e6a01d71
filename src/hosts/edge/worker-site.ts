// What is put into a worker when it is bundled, beside what all edge code is told: which addresses of the site have no file
// of their own, because the worker answers them from the packed tree.
import type { Resource } from '../../paths/endpoints.ts';
import { slugFolder } from '../../paths/files.ts';
import type { Profile } from '../../paths/selection.ts';
import type { EdgeSite } from './edge-site.ts';
import type { Found } from './plan-answer.ts';

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
  if (found.kind === 'list') return !file.includes('/page-') || site.paged.includes(resource);
  if (site.profile === 'by-id' && found.folder.includes('/slug/')) return false;
  return !site.dropped.includes(resource + file.slice(found.folder.length));
};

/** Slugs that do not stand as they are, by the folder of their files. */
export const slugsOf = ({ names }: WorkerSite): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(names).map(([key, segment]) => {
      const at = key.indexOf('/');
      return [slugFolder(key.slice(0, at) as Resource, segment), key.slice(at + 1)];
    }),
  );
