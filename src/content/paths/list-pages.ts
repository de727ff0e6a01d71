// How many pages of each list are files. Where a host runs no code, a client that follows `next` finds every page as
// a file; where all hosts answer queries themselves, or only the companion server serves, the first page is enough.

export type ListPages = number | 'all';

/** Hosts whose own code answers every query from the packed tree, by their names in the setting `hosts`. */
export const QUERY_HOSTS: readonly string[] = [
  'nginx-njs',
  'cloudflare',
  'cloudflare-pages',
  'netlify-edge',
  'vercel',
];

type Served = {
  /** Names of the setting `hosts`. */
  readonly hosts: readonly string[];
  /** Something is deployed, to whatever host. */
  readonly isDeployed: boolean;
};

/** `auto`: all where a host runs no code, and where nobody says what the targets of a deploy are; else the first. */
export const resolveListPages = (
  pages: ListPages | 'auto',
  { hosts, isDeployed }: Served,
  queryHosts = QUERY_HOSTS,
): ListPages => {
  if (pages !== 'auto') return pages;
  if (hosts.length === 0) return isDeployed ? 'all' : 1;
  return hosts.every((host) => queryHosts.includes(host)) ? 1 : 'all';
};
