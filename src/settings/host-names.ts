// One row for each host that files can be written for: its name, as the setting `hosts` may hold it, and which queries of
// lists it answers.
import { findNearestName } from '../base/text/nearest-name.ts';

/** `origin`: what the host behind it answers. `none`: it shows one variant of each list and record. */
export const ANSWERED_QUERIES = {
  nginx: 'default',
  'nginx-njs': 'all',
  caddy: 'default',
  apache: 'default',
  varnish: 'default',
  cdn: 'origin',
  cloudflare: 'all',
  'cloudflare-pages': 'all',
  cloudfront: 'default',
  netlify: 'default',
  'netlify-edge': 'all',
  vercel: 'all',
  firebase: 'none',
  'github-pages': 'none',
  'gitlab-pages': 'none',
  'plain-files': 'none',
} as const;

export type HostName = keyof typeof ANSWERED_QUERIES;

export const HOST_NAMES = Object.keys(ANSWERED_QUERIES) as readonly HostName[];

/** Its own code answers every query from the packed tree. */
export const answersAll = (name: string): boolean =>
  isHostName(name) && ANSWERED_QUERIES[name] === 'all';

export const isHostName = (name: string): name is HostName =>
  (HOST_NAMES as readonly string[]).includes(name);

/** Says that a name is no host's, which one may be meant, and which there are. */
export const unknownHost = (name: string): string => {
  const near = findNearestName(name, HOST_NAMES);
  const meant = near === null ? '' : ` Did you mean ${near}?`;
  return `There is no host "${name}".${meant} The hosts are ${HOST_NAMES.join(', ')}`;
};
