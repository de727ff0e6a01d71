// Names of a publication, which whatever a host's configuration makes global carries: several stand beside each other.
import { createHash } from 'node:crypto';
import { trimEndOf } from '../../../base/text/trim-of.ts';
import type { HostSite } from '../host.ts';

/**
 * On a machine: of the folder that the host sees, which no other publication has there, and the path. Four hexadecimal
 * digits; nginx has little room for names.
 */
export const placeId = ({ root, basePath }: Pick<HostSite, 'root' | 'basePath'>): string =>
  hashOf(`${root}\0${basePath}`, 4);

const hashOf = (text: string, digits: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, digits);

const ACCOUNT_CHARACTERS_MAX = 50;

/**
 * In an account: of the site's address, wherever it is built. Small letters, digits and hyphens; a hash tells addresses
 * apart that are the same in these, or when they are cut.
 */
export const accountName = (siteUrl: string, basePath: string): string => {
  const { host, pathname } = new URL(siteUrl);
  const address = `${host}${trimEndOf(pathname, '/')}\0${basePath}`;
  const isBareHost = /^[a-z0-9.]+\0$/.test(address);
  const name = `prepress-${address.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`.replace(/-$/, '');
  return isBareHost && name.length <= ACCOUNT_CHARACTERS_MAX
    ? name
    : `${name.slice(0, ACCOUNT_CHARACTERS_MAX - 7)}-${hashOf(address, 6)}`;
};
