// Whether a name of a source is an address or the path of a file, told by its form alone. What looks like an address may
// hold a password, so it is never taken for a file, whose name messages show.
import { PrepressError } from '../../base/errors.ts';
import { mayHoldLogin } from '../../base/net/may-hold-login.ts';
import { isGhostAddress } from './ghost-address/address.ts';
import { isMysqlAddress } from './ghost-mysql/address.ts';

const SCHEME = /^[a-z][a-z\d+.-]+:/i;

/** Also where slashes are missing, as in `mysql:me:password@host`. */
export const isAddress = (name: string): boolean => {
  if (isMysqlAddress(name) || mayHoldLogin(name)) return true;
  const scheme = SCHEME.exec(name)?.[0];
  return scheme !== undefined && (name.startsWith('//', scheme.length) || name.includes('@'));
};

/** Throws USAGE for an address of another kind than ours; of that it shows the scheme alone. */
export const throwIfUnknownAddress = (name: string): void => {
  if (isGhostAddress(name) || isMysqlAddress(name) || !isAddress(name)) return;
  const scheme = SCHEME.exec(name)?.[0];
  if (scheme === 'file:' || scheme === 'sqlite:') {
    const hint = 'Leave out what is before it, as in content/data/ghost.db.';
    throw new PrepressError('USAGE', `A file is named by its path alone, without "${scheme}".`, {
      hint,
    });
  }
  const start = scheme === undefined ? '' : `, and this one begins with "${scheme}"`;
  const sentence = `The address must begin with mysql://, https:// or http://${start}.`;
  throw new PrepressError('USAGE', sentence);
};
