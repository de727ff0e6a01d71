// What is put into a worker when it is bundled, beside what all edge code is told: which addresses of the site have no file
// of their own, because the worker answers them from the packed tree.
import { RESOURCES, type Resource } from '../../paths/endpoints.ts';
import type { Profile } from '../../paths/selection.ts';
import type { EdgeSite } from './edge-site.ts';

export type WorkerSite = EdgeSite & {
  readonly profile: Profile;
  /** Record variants without files: resource, slash, variant. */
  readonly dropped: readonly string[];
  /** Patterns of the paths that a worker is called for, where it says so itself. */
  readonly routes: readonly string[];
};

const LISTED = /^([a-z]+)\/(page-)?[a-z0-9-]+\.json$/;
const RECORD = /^([a-z]+)\/(?:[0-9a-f]{24}|(slug)\/[^/]+)\/([a-z-]+)\.json$/;

/** False for lists and records that the site has no file of; `file` is a path in the content folder. */
export const hasFile = (site: WorkerSite, file: string): boolean => {
  const [, resource, page] = LISTED.exec(file) ?? [];
  if (isResource(resource)) {
    return site.profile !== 'packed' && (page === undefined || site.paged.includes(resource));
  }
  const [, ofRecord, slug, variant] = RECORD.exec(file) ?? [];
  if (!isResource(ofRecord)) return true;
  if (site.profile === 'packed' || (slug !== undefined && site.profile === 'by-id')) return false;
  return !site.dropped.includes(`${ofRecord}/${variant}`);
};

const isResource = (name: string | undefined): name is Resource =>
  RESOURCES.includes(name as Resource);

/** Slugs that do not stand as they are: resource, slash, name of their files -> the slug. */
export const slugsOf = ({ names }: WorkerSite): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(names).map(([key, segment]) => {
      const at = key.indexOf('/');
      return [`${key.slice(0, at)}/${segment}`, key.slice(at + 1)];
    }),
  );
