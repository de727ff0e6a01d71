// A live MySQL or MariaDB database of Ghost as a source. Nothing tells cheaply and surely whether something
// was committed to it, so its fingerprint is unknown.
import { openState } from '../ghost-database/state.ts';
import type { Source, SourceState } from '../source.ts';
import { parseMysqlAddress } from './address.ts';
import { openMysqlReader } from './reader.ts';

/** Throws USAGE when the address cannot be read. */
export const openGhostMysql = (text: string): Source => {
  const address = parseMysqlAddress(text);
  let state: SourceState | null = null;
  return {
    name: address.name,
    fingerprint: async () => null,
    open: async () => {
      state = await openState(address.name, await openMysqlReader(address));
      return state;
    },
    close: async () => state?.close(),
  };
};
