// The list of queries that the companion server was asked, on the command line.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { askedQueriesAt } from '../../src/store/sqlite/asked-queries.ts';
import { prepress } from '../helpers/run-prepress.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

test('prepress queries lists them with their counts, and says when there are none', async () => {
  const folder = temporaryFolder();
  await prepress(folder, ['init']);
  expect(await prepress(folder, ['queries'])).toMatch(/^No queries were asked yet\./);
  expect(JSON.parse(await prepress(folder, ['queries', '--json']))).toEqual({ queries: [] });
  const log = askedQueriesAt(join(folder, 'data/build.db'));
  const askedAt = Date.parse('2026-03-01T12:00:00.000Z');
  log.add([
    { resource: 'tags', query: 'limit=3', count: 2, askedAt },
    { resource: 'posts', query: 'filter=tag:\u001b[31mnews', count: 1_200, askedAt },
  ]);
  expect(await prepress(folder, ['queries'])).toBe(
    '1,200  posts  filter=tag:\\u001b[31mnews\n    2  tags  limit=3\n',
  );
  const { queries } = JSON.parse(await prepress(folder, ['queries', '--json']));
  expect(queries[1]).toEqual({
    resource: 'tags',
    query: 'limit=3',
    count: 2,
    last_asked_at: '2026-03-01T12:00:00.000Z',
  });
  // Builds leave it alone.
  await prepress(folder, ['build', '--full']);
  expect(log.list()).toHaveLength(2);
});
