// Names of a publication, which whatever a host's configuration makes global carries: several stand beside each other.
import { createHash } from 'node:crypto';
import type { HostSite } from './host.ts';

/** On a machine: of the folder and the path. Four hexadecimal digits; nginx has little room for names. */
export const placeId = ({ output, basePath }: Pick<HostSite, 'output' | 'basePath'>): string =>
  createHash('sha256').update(`${output}\0${basePath}`).digest('hex').slice(0, 4);

const ACCOUNT_CHARACTERS_MAX = 50;

/** In an account: of the site's address, wherever it is built. Small letters, digits and hyphens. */
export const accountName = (siteUrl: string, basePath: string): string => {
  const { hostname, pathname } = new URL(siteUrl);
  const readable = `prepress-${hostname}${pathname}${basePath}`
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, ACCOUNT_CHARACTERS_MAX);
  return readable.replace(/-$/, '');
};
