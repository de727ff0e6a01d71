// An address is told from the path of a file by its form.
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { openSource } from '../../../../src/publication/sources/open-source.ts';
import { placeOf } from '../../../../src/serve/program/following.ts';

test.each([
  ...['mysq://u:s3cret@h/d', 'postgres://u:s3cret@h/d', 'mysql:u:s3cret@h/d'],
  ...['mysql:/u:s3cret@h/d', 'mysq:u:s3/cret@h/d', 'ghost:s3cret@h/d', 'u:s3cret@h/d'],
  ...[
    'mysql//u:s3cret@h/d',
    'mysql;//u:s3cret@h/d',
    '//u:s3cret@h/d',
    ' mysql://u:s3cret@h/d',
    '"mysql://u:s3cret@h/d"',
  ],
])('%s is an address that cannot be read', async (name) => {
  expect(placeOf(name)).toBe(name);
  const error = await openSource(name).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'USAGE' });
  expect(String(error)).not.toMatch(/s3|cret/);
});

test.each([
  'ghost.db',
  'C:\\Users\\me@work\\ghost.db',
  'C:/me@work/ghost.db',
  './a:b@c.db',
  '/a:b@c',
])('%s is a path', async (name) => {
  expect(placeOf(name)).toBe(resolve(name));
  await expect(openSource(name)).rejects.toMatchObject({ code: 'IMPORT_UNREADABLE' });
});
