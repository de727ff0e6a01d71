// What templates get of a site that is published elsewhere: whole lists in their orders, read anew only where they changed.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { PACKED_ROOT_FILE } from '../../../../src/content/tree/names.ts';
import { readPublished } from '../../../../src/pages/eleventy/published.ts';
import { openFiles } from '../../../helpers/files-host.ts';
import { makeOddPublication, type OddPublication } from '../../../helpers/odd-records.ts';
import { createRandom, SEED } from '../../../helpers/random.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

afterEach(() => vi.unstubAllGlobals());

test('lists have the orders of the interface, and a second build reads what changed', async () => {
  const host = openFiles();
  vi.stubGlobal('fetch', host.fetch);
  const file = join(temporaryFolder(), 'kept/published.json');
  const read = () => readPublished({ from: host.url, contentKey: undefined }, file);
  const publication = makeOddPublication(createRandom(SEED), 30);
  const newest = [...publication.posts].sort(
    (a, b) => b.publishedMs - a.publishedMs || (a.id < b.id ? 1 : -1),
  );
  const expected = ({ tags }: OddPublication, posts = newest) => ({
    posts: posts.map(({ id }) => id),
    newest: posts.slice(0, 10).map(({ id }) => id),
    tags: [...tags]
      .sort((a, b) => new Intl.Collator('en').compare(a.name, b.name) || (a.id < b.id ? -1 : 1))
      .map(({ id }) => id),
  });
  const idsOf = ({ posts, newest: first, tags }: Awaited<ReturnType<typeof read>>) =>
    Object.fromEntries(
      Object.entries({ posts, newest: first, tags }).map(([name, all]) => [
        name,
        all.map(({ id }) => id),
      ]),
    );
  host.put(publication, { settings: { title: 'One' } });
  expect(idsOf(await read())).toEqual(expected(publication));
  host.asked.length = 0;
  const again = await read();
  expect(host.asked).toEqual([PACKED_ROOT_FILE, 'settings/index.json']);
  expect([idsOf(again), again.settings]).toEqual([expected(publication), { title: 'One' }]);
  const fewer = { ...publication, posts: newest.slice(1) };
  host.put(fewer);
  expect(idsOf(await read())).toEqual(expected(fewer, newest.slice(1)));
});

test('what was kept in another form is read anew, and a site that cannot be read is named', async () => {
  const host = openFiles();
  vi.stubGlobal('fetch', host.fetch);
  const file = join(temporaryFolder(), 'published.json');
  const read = () => readPublished({ from: host.url, contentKey: undefined }, file);
  host.put(makeOddPublication(createRandom(SEED), 5));
  const all = await read();
  writeFileSync(file, JSON.stringify({ from: host.url, token: '', posts: [{}], tags: null }));
  expect(await read()).toEqual(all);
  host.remove(PACKED_ROOT_FILE);
  await expect(read()).rejects.toMatchObject({
    code: 'SOURCE_UNREACHABLE',
    message: expect.stringContaining(`${host.url}/content/${PACKED_ROOT_FILE} is not served`),
  });
});
