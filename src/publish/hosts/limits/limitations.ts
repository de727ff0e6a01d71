// Sentences about what a host cannot do and what to use instead, where several hosts share them.
import { counted, shown } from '../../../base/text/counted.ts';
import { RESOURCES } from '../../../content/paths/endpoints.ts';
import type { Selection } from '../../../content/paths/selection.ts';
import type { Host, HostSite, StoredName } from '../host.ts';
import { defaultRecord } from '../plain-files/copies.ts';
import { companionOf } from '../rules/other-queries.ts';
import { planPlainRedirects } from '../rules/plain-redirects.ts';
import { findTreeReads } from './tree-reads.ts';

export const NO_KEY_CHECK =
  'The content key is not checked: use cloudflare or cloudfront with --content-keys, or the companion server.';

export const NO_NORMAL_FORMS =
  'Slugs are found as the database spells them and in Unicode NFC. Write page numbers in plain digits, not percent-encoded.';

export const NO_MEDIA_POLICY =
  'Pictures and files are sent without Content-Security-Policy, and with the types of the host: an uploaded SVG, PDF or HTML file that is opened by its address is shown as a document of the site. If others upload files, use netlify, cloudflare or a server.';

export const NO_DEPRECATION =
  'An address that names a version is answered without the header Deprecation.';

/** Of hosts that get the whole output and compress by themselves. */
export const sidecarNotes = ({ encodings }: Pick<HostSite, 'encodings'>): string[] =>
  encodings.length === 0
    ? []
    : [
        'The host compresses by itself and does not use the files of the setting precompress: leave it empty for this host.',
      ];

/** Of hosts that cannot send the original of a picture whose size is not there. */
export const NO_SIZES =
  'A picture in a size that the output does not have (/content/images/size/…, setting images.sizes) is 404: if readers ask for others, use netlify, cloudflare or a server.';

/** What edge code looks up: a slash or NUL in a slug is refused with the paths that hide something. */
export const isReachableAtEdge = ({ slug }: StoredName): boolean =>
  slug !== '' && !/[/\0]|^\.\.?$/.test(slug);

/** Of hosts that answer addresses whose files they do not have. */
export const missingNotes = ({ profile }: Selection): string[] => {
  if (profile === 'by-id') {
    return ['The explicit names of files by slug are not there: ask for addresses.'];
  }
  return profile === 'packed'
    ? ['The explicit names of lists and records are not there: ask for addresses.']
    : [];
};

/** Of workers, whose plan limits the requests that one answer may make. */
export const readNotes = (site: HostSite): string[] => {
  const reads = findTreeReads(site);
  if (reads === null) return [];
  const { max, newest, most, maxWithin } = reads;
  const fitting = maxWithin(FREE_REQUESTS);
  const advice =
    fitting < 1
      ? 'filters need a paid plan or a server'
      : `with lists.max ${shown(fitting)} or less filters fit the free plan, too`;
  return most <= FREE_REQUESTS
    ? []
    : [
        `A list of the newest ${shown(max)} posts reads ${shown(newest)} files, and a filter whose posts stand far apart some ${shown(most)}. For one answer the free plan allows ${FREE_REQUESTS} requests, paid plans 10,000; what needs more is 503 with a sentence that names lists.max: ${advice}.`,
      ];
};

const FREE_REQUESTS = 50;

/** Of hosts without rules. */
export const ALIAS_NOTE =
  'The address /ghost/api needs rules: set basePath to /ghost/api for clients that ask there.';

/** Of hosts that read no queries. */
export const defaultNotes = (
  site: Pick<HostSite, 'defaultVariants' | 'selection' | 'segments' | 'queries'>,
): string[] => {
  const { max } = site.queries;
  const long = RESOURCES.filter((resource) => site.segments(resource).length > max);
  const variants = RESOURCES.map((resource) => `${resource} ${defaultRecord(site, resource)}`);
  return [
    `Queries are not read: every address shows one variant (${variants.join(', ')}), which the setting defaultVariants names; the others, and pages of lists, have explicit names (…/index.json).`,
    ...(long.length === 0
      ? []
      : [
          `A client that follows meta.pagination.next of ${long.join(' or ')} gets the first page again and again: set lists.max beyond the number of records, or use prepress-content/client.`,
        ]),
  ];
};

/** Of hosts that cannot tell a query that has a file from one that has none. */
export const unrefusedNotes = ({ queries }: Pick<HostSite, 'queries'>): string[] =>
  queries.otherQueries === 'ignore'
    ? []
    : [
        'Queries cannot be refused: one with limit, filter, order, fields or formats gets the default list. The client prepress-content/client answers every query from the files.',
      ];

/** Of hosts whose rules tell them apart; `passes` says to which servers they can pass requests on. */
export const otherQueryNotes = (
  site: Pick<HostSite, 'basePath' | 'queries'>,
  passes: 'any' | 'http' | 'none',
): string[] => {
  const companion = companionOf(site);
  const isPassed =
    companion !== null && (passes === 'any' || (passes === 'http' && !companion.isSecure));
  return companion === null || isPassed ? [] : [PASSES[passes]];
};

const PASSES = {
  any: '',
  http: 'Queries that no file answers are refused: the host speaks no TLS, so otherQueries must be an http address here.',
  none: 'Queries that no file answers are refused: the host cannot pass them on to the address in the setting otherQueries.',
} as const;

/** Records whose slugs the host's rules cannot hold. */
export const lostNames = (
  names: readonly StoredName[],
  isReachable: (name: StoredName) => boolean,
): string[] => {
  const lost = names.filter((name) => !isReachable(name)).length;
  return lost === 0
    ? []
    : [
        `${counted(lost, 'record')} cannot be asked for by slug, because rules cannot hold their slugs: use ids.`,
      ];
};

/** Of hosts that have no rules for redirects, or none for all of them. */
export const redirectNotes = (
  { redirects: rules }: Pick<Host, 'redirects'>,
  site: Pick<HostSite, 'basePath' | 'redirects'>,
): string[] => {
  if (rules === 'all') return [];
  const left = rules === undefined ? site.redirects : planPlainRedirects(site, rules).left;
  if (left.length === 0) return [];
  const names = left.slice(0, 10).map(({ from }) => from);
  const [first, more] = [names.join(', '), left.length - 10];
  return [
    `Redirects that are not written for this host: ${first}${more > 0 ? ` and ${more} more` : ''}. Use nginx, Caddy, Apache, vercel or the companion server, or set them up at the host.`,
  ];
};
