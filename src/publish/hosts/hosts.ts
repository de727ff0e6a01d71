// All hosts by the names that the command line and the setting `hosts` know.
import { PrepressError } from '../../base/errors.ts';
import { unknownHost } from '../../settings/host-names.ts';
import { apache } from './apache/host.ts';
import { caddy } from './caddy/host.ts';
import { cdn } from './cdn/host.ts';
import { cloudflare } from './cloudflare/host.ts';
import { cloudflarePages } from './cloudflare-pages/host.ts';
import { cloudfront } from './cloudfront/host.ts';
import { firebase } from './firebase/host.ts';
import { githubPages } from './github-pages/host.ts';
import { gitlabPages } from './gitlab-pages/host.ts';
import type { Host } from './host.ts';
import { netlify } from './netlify/host.ts';
import { netlifyEdge } from './netlify-edge/host.ts';
import { nginx } from './nginx/host.ts';
import { nginxNjs } from './nginx-njs/host.ts';
import { plainFiles } from './plain-files/host.ts';
import { varnish } from './varnish/host.ts';
import { vercel } from './vercel/host.ts';

export const HOSTS: readonly Host[] = [
  nginx,
  nginxNjs,
  caddy,
  apache,
  varnish,
  cdn,
  cloudflare,
  cloudflarePages,
  cloudfront,
  netlify,
  netlifyEdge,
  vercel,
  firebase,
  githubPages,
  gitlabPages,
  plainFiles,
];

/** Throws USAGE for a name that no host has. */
export const getHost = (name: string): Host => {
  const host = HOSTS.find((one) => one.name === name);
  if (host !== undefined) return host;
  throw new PrepressError('USAGE', `${unknownHost(name)}.`);
};

/** The host as it is written: with what is other of a shield, where it can be one. */
export const hostAs = (host: Host, isShield: boolean): Host => ({
  ...host,
  ...(isShield && host.asShield),
});
