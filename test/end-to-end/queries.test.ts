// The list of queries that the companion server was asked, and declaring them, on the command line and by the server.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { askedQueriesAt } from '../../src/store/asked-queries.ts';
import { eventually } from '../helpers/eventually.ts';
import { prepress, runPrepress } from '../helpers/run-prepress.ts';
import { CONTENT, serve } from '../helpers/serve.ts';
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

const readSettings = (folder: string): { queries?: unknown[] } =>
  JSON.parse(readFileSync(join(folder, 'prepress.config.json'), 'utf8')) as { queries?: unknown[] };

test('a site that was built against the server fits its files, after one adopt', async () => {
  const folder = temporaryFolder();
  await prepress(folder, ['init']);
  writeFileSync(join(folder, 'prepress.config.json'), '{"siteUrl": "https://site.test"}');
  const { get, admin, end, contentKey } = await serve(folder);
  const tags = JSON.parse(await (await get(`/content/tags/?key=${contentKey}`)).text()).tags as {
    slug: string;
  }[];
  const ask = async (query: string): Promise<string> =>
    (await get(`/content/posts/?key=${contentKey}&${query}`)).text();
  const asked = new Map<string, string>();
  for (const { slug } of tags.slice(0, 2)) {
    const query = `filter=tag:${slug}&include=tags&limit=2`;
    asked.set(`filter-tag-slug-include-tags-limit-2/${slug}/index`, await ask(query));
  }
  for (const page of [1, 2]) {
    asked.set(`limit-2/${page === 1 ? 'index' : 'page-2'}`, await ask(`limit=2&page=${page}`));
  }
  await ask('filter=published_at:>now-7d');
  await eventually(async () => {
    const { queries } = (await admin('GET', '/queries/')) as { queries: unknown[] };
    expect(queries).toHaveLength(5);
  });
  const trial = JSON.parse(await prepress(folder, ['queries', 'adopt', '--dry-run', '--json']));
  expect(readSettings(folder).queries).toBeUndefined();
  const adopted = (await admin('POST', '/queries/adopt/')) as typeof trial & { meta: object };
  expect(adopted.queries).toEqual(trial.queries);
  expect(adopted.meta).toEqual({
    left: [expect.objectContaining({ reason: expect.stringContaining('time') })],
  });
  expect(readSettings(folder)).toEqual({
    siteUrl: 'https://site.test',
    queries: expect.arrayContaining([
      { resource: 'posts', filter: 'tag:{slug}', include: 'tags', limit: 2 },
      { resource: 'posts', limit: 2, pages: 'all' },
    ]),
  });
  // The server starts again with them, and builds.
  const file = (name: string): string => join(folder, CONTENT, 'posts/q', `${name}.json`);
  await eventually(() => {
    for (const [name, body] of asked) expect(readFileSync(file(name), 'utf8'), name).toBe(body);
  });
  const cost = (adopted.queries as { files: number; bytes: number }[]).reduce(
    (sum, { files, bytes }) => ({ files: sum.files + files, bytes: sum.bytes + bytes }),
    { files: 0, bytes: 0 },
  );
  await end();
  const { declared } = JSON.parse(await prepress(folder, ['build', '--json']));
  expect(declared).toEqual({ queries: 2, needless: 0, ...cost });
  expect(await prepress(folder, ['status'])).toContain('declared queries');
  expect(await prepress(folder, ['queries', 'adopt'])).toContain('There is nothing to declare');
  await prepress(folder, ['verify']);
});

test('adopt takes what was asked often, and refuses a setting of the environment', async () => {
  const folder = temporaryFolder();
  await prepress(folder, ['init']);
  const log = askedQueriesAt(join(folder, 'data/build.db'));
  expect(await prepress(folder, ['queries', 'adopt'])).toContain('There is nothing to declare');
  await prepress(folder, ['build']);
  log.add([
    { resource: 'posts', query: 'limit=3', count: 20, askedAt: 0 },
    { resource: 'posts', query: 'limit=4', count: 1, askedAt: 0 },
  ]);
  const environment = { PREPRESS_QUERIES: '[{"resource": "tags", "limit": 1}]' };
  const { code, stderr } = await runPrepress(folder, ['queries', 'adopt'], { environment });
  expect(code).toBe(1);
  expect(stderr).toContain('change it where it comes from');
  expect(await prepress(folder, ['queries', 'adopt', '--at-least', '2'])).toMatch(
    /^posts {2}limit=3 {2}1 file, [\d,]+ bytes\n1 declared, .*\nWritten to .*prepress\.config\.json; /,
  );
  expect(readSettings(folder)).toEqual({ queries: [{ resource: 'posts', limit: 3 }] });
  expect(await prepress(folder, ['build'])).toMatch(/Declared queries: 1, 1 file, [\d,]+ bytes\./);
});
