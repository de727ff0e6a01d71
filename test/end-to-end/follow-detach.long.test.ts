// Who follows a Ghost edits there: the admin interface of a running server refuses content, until following is ended.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeGhostDatabase } from '../helpers/ghost-database.ts';
import { prepress } from '../helpers/run-prepress.ts';
import { serve } from '../helpers/serve.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

test('content is refused while following, and taken after --detach', async () => {
  const folder = temporaryFolder();
  makeGhostDatabase(join(folder, 'ghost.db')).close();
  const once = ['follow', 'ghost.db', '--once', '--site-url', 'https://site.test'];
  await prepress(folder, once);
  const { admin } = await serve(folder);
  const write = (title: string): Promise<unknown> =>
    admin('POST', '/posts/', { posts: [{ title, status: 'published', html: '<p>Ours</p>' }] });
  const listen = (target: string): Promise<unknown> =>
    admin('POST', '/webhooks/', { webhooks: [{ event: 'post.published', target_url: target }] });
  await expect(write('Refused')).rejects.toThrow(/409 .*prepress follow --detach/);
  await listen('http://127.0.0.1:8099/');
  expect(await prepress(folder, ['follow', '--detach'])).toMatch(/does not follow .*ghost\.db/);
  await write('Ours');
  const { posts } = (await admin('GET', '/posts/?limit=all&fields=title')) as {
    posts: { title: string }[];
  };
  expect(posts.map(({ title }) => title)).toEqual(expect.arrayContaining(['Ours']));
  expect(posts.length).toBeGreaterThan(1);
  expect(await prepress(folder, ['follow', '--detach'])).toContain('follows no source');
  // Following begins again only when it is asked for: it takes what the source has.
  await prepress(folder, once);
  await expect(write('Refused again')).rejects.toThrow(/409 /);
});
