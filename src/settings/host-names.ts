// The names of the hosts that files can be written for: what the setting `hosts` may hold. A test holds them against
// the hosts themselves.
import { findNearestName } from '../base/text/nearest-name.ts';

export const HOST_NAMES = [
  'nginx',
  'nginx-njs',
  'caddy',
  'apache',
  'varnish',
  'cdn',
  'cloudflare',
  'cloudflare-pages',
  'cloudfront',
  'netlify',
  'netlify-edge',
  'vercel',
  'firebase',
  'github-pages',
  'gitlab-pages',
  'dumb',
] as const;

export type HostName = (typeof HOST_NAMES)[number];

export const isHostName = (name: string): name is HostName =>
  (HOST_NAMES as readonly string[]).includes(name);

/** Says that a name is no host's, which one may be meant, and which there are. */
export const unknownHost = (name: string): string => {
  const near = findNearestName(name, HOST_NAMES);
  const meant = near === null ? '' : ` Did you mean ${near}?`;
  return `There is no host "${name}".${meant} The hosts are ${HOST_NAMES.join(', ')}`;
};
