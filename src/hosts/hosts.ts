// All hosts by the names that the command line and the setting `hosts` know.
import { PrepressError } from '../base/errors.ts';
import { findNearestName } from '../base/nearest-name.ts';
import { apache } from './apache/host.ts';
import { caddy } from './caddy/host.ts';
import { cdn } from './cdn/host.ts';
import { cloudflare } from './cloudflare/host.ts';
import { cloudflarePages } from './cloudflare-pages/host.ts';
import { cloudfront } from './cloudfront/host.ts';
import { dumb } from './dumb/host.ts';
import { firebase } from './firebase/host.ts';
import { githubPages } from './github-pages/host.ts';
import { gitlabPages } from './gitlab-pages/host.ts';
import type { Host } from './host.ts';
import { netlify } from './netlify/host.ts';
import { nginx } from './nginx/host.ts';
import { varnish } from './varnish/host.ts';
import { vercel } from './vercel/host.ts';

export const HOSTS: readonly Host[] = [
  nginx,
  caddy,
  apache,
  varnish,
  cdn,
  cloudflare,
  cloudflarePages,
  cloudfront,
  netlify,
  vercel,
  firebase,
  githubPages,
  gitlabPages,
  dumb,
];

/** Throws USAGE for a name that no host has. */
export const getHost = (name: string): Host => {
  const host = HOSTS.find((one) => one.name === name);
  if (host !== undefined) return host;
  const names = HOSTS.map((one) => one.name);
  const near = findNearestName(name, names);
  const meant = near === null ? '' : ` Did you mean ${near}?`;
  const sentence = `There is no host "${name}".${meant} The hosts are ${names.join(', ')}.`;
  throw new PrepressError('USAGE', sentence);
};
