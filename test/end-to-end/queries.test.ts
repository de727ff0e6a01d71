// A site that was built against the server fits its files, after one `prepress queries adopt`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { prepress } from '../helpers/run-prepress.ts';
import { CONTENT, serve } from '../helpers/serve.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

test('what was asked of the server is listed, adopted and answered by files', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'prepress.config.json'), '{"siteUrl": "https://site.test"}');
  const { get, admin, contentKey } = await serve(folder, { args: ['--sample'] });
  const ask = async (query: string): Promise<string> =>
    (await get(`/content/posts/?key=${contentKey}&${query}`)).text();
  const asked = new Map<string, string>();
  for (const slug of ['harbours', 'tides']) {
    const query = `filter=tag:${slug}&include=tags&limit=2`;
    asked.set(`filter-tag-slug-include-tags-limit-2/${slug}/index`, await ask(query));
  }
  await ask('filter=published_at:>now-7d');
  await eventually(async () => {
    const { queries } = JSON.parse(await prepress(folder, ['queries', '--json']));
    expect(queries).toHaveLength(3);
  });
  const trial = JSON.parse(await prepress(folder, ['queries', 'adopt', '--dry-run', '--json']));
  const settings = () => JSON.parse(readFileSync(join(folder, 'prepress.config.json'), 'utf8'));
  expect(settings()).toEqual({ siteUrl: 'https://site.test' });
  const adopted = (await admin('POST', '/queries/adopt/')) as typeof trial & { meta: object };
  expect(adopted.queries).toEqual(trial.queries);
  expect(adopted.meta).toEqual({
    left: [expect.objectContaining({ reason: expect.stringContaining('time') })],
  });
  expect(settings()).toEqual({
    siteUrl: 'https://site.test',
    queries: [{ resource: 'posts', filter: 'tag:{slug}', include: 'tags', limit: 2 }],
  });
  // The server starts again with them, and builds.
  const file = (name: string): string => join(folder, CONTENT, 'posts/q', `${name}.json`);
  await eventually(() => {
    for (const [name, body] of asked) expect(readFileSync(file(name), 'utf8'), name).toBe(body);
  });
});
