// Where this server has a file that the publication names by its public address: there it may not be yet.
import { BASE } from '../api.ts';

const CONTENT = '/content/';

/** Null for an address that names no file of a publication. */
export const hereOf = (address: string): string | null => {
  const at = address.indexOf(CONTENT);
  return at === -1 ? null : `${BASE}${address.slice(at)}`;
};
