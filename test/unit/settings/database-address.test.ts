import { expect, test } from 'vitest';
import { dataPathsOf } from '../../../src/settings/data-paths.ts';
import { shownAddress } from '../../../src/settings/database-address.ts';
import { loadConfig } from '../../../src/settings/load.ts';

const ADDRESS = 'postgres://user:geheim@db.example.com:5433/blog?sslmode=require';

const faultOf = (load: () => unknown): string => {
  try {
    load();
    return '';
  } catch (error) {
    return String(error);
  }
};

test('a password is taken from the environment, refused on the command line, and never shown', () => {
  const { postgres } = dataPathsOf(loadConfig({ environment: { PREPRESS_DATABASE: ADDRESS } }));
  expect(postgres?.address).toBe(ADDRESS);
  expect(shownAddress(ADDRESS)).toBe('postgres://db.example.com:5433/blog');
  const given = [ADDRESS, 'postgres://user@host/blog?password=geheim', 'postgres://user:geheim@'];
  const faults = given.map((database) =>
    faultOf(() => loadConfig({ flags: { database }, environment: {} })),
  );
  expect(faults).toEqual([
    expect.stringContaining('can read a password on a command line'),
    expect.stringContaining('can read a password on a command line'),
    expect.stringContaining('must be an address such as postgres://user@host/database.'),
  ]);
  const misspelt = 'postgres://user@host/blog?sslmode=verify';
  expect(faultOf(() => loadConfig({ flags: { database: misspelt }, environment: {} }))).toContain(
    'sslmode must be disable, allow, prefer, require, verify-ca or verify-full.',
  );
  const database = 'mysql://host/blog?user=user&password=geheim';
  faults.push(faultOf(() => loadConfig({ environment: { PREPRESS_DATABASE: database } })));
  expect(faults.join()).not.toContain('geheim');
  const socket = loadConfig({ flags: { database: 'postgres://host/blog' }, environment: {} });
  expect(dataPathsOf(socket).database).toMatch(/\/data\/replica\.db$/);
});
