// How many pages of each list are files. Where a host runs no code, a client that follows `next` finds every page as
// a file; where all hosts answer queries themselves, the first page is enough.

export type ListPages = number | 'all';

/** Hosts whose own code answers every query from the packed tree, by their names in the setting `hosts`. */
export const QUERY_HOSTS: readonly string[] = [
  'nginx-njs',
  'cloudflare',
  'cloudflare-pages',
  'netlify-edge',
];

/** `auto` depends on the hosts that are named: where none is, any host may serve the files. */
export const resolveListPages = (
  pages: ListPages | 'auto',
  hosts: readonly string[],
  queryHosts = QUERY_HOSTS,
): ListPages => {
  if (pages !== 'auto') return pages;
  const allRunQueries = hosts.length > 0 && hosts.every((host) => queryHosts.includes(host));
  return allRunQueries ? 1 : 'all';
};
