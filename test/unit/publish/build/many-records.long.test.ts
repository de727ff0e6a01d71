// Records are rendered before their lists are opened while they are few and small, else on the way; the bytes
// are the same.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openManifest } from '../../../../src/publish/manifest/open-manifest.ts';
import { createPublication, type Publication } from '../../../helpers/publication.ts';
import { buildInto, readTree } from '../../../helpers/tree.ts';

const publish = async (posts: number): Promise<Publication> => {
  const publication = await createPublication();
  const { shell, insert } = publication;
  shell.transaction(() => {
    for (let at = 0; at < posts; at += 1) {
      const published_at = new Date(1.7e12 + at * 60_000).toISOString();
      insert('posts', { status: 'published', published_at, html: '<p>Short</p>' });
    }
  })();
  return publication;
};

test.each([
  ['few that are short', 40, 10],
  ['few that are too long to be kept', 40, 300_000],
  ['many', 1_001, 10],
])('%s: an edit of all gives the bytes of a clean build', async (_name, posts, characters) => {
  const { shell, store, folder } = await publish(posts);
  const place = join(folder, 'tree');
  await buildInto(store, place);
  shell.prepare('UPDATE posts SET html = ?').run(`<p>${'long '.repeat(characters / 5)}</p>`);
  const { kind, files } = await buildInto(store, place);
  expect(kind).toBe('incremental');
  const names = files.names?.written ?? [];
  expect(names).toHaveLength(new Set(names).size);
  await buildInto(store, join(folder, 'clean'));
  const clean = readTree(join(folder, 'clean/content'));
  const tree = readTree(join(place, 'content'));
  expect([...tree.keys()]).toEqual([...clean.keys()]);
  expect([...tree].filter(([name, text]) => clean.get(name) !== text)).toEqual([]);
  const manifest = openManifest(join(place, 'build.db'));
  expect(manifest.count('posts')).toBe(posts);
  manifest.close();
});

test('a row that cannot be rendered is named once, also when what was kept became too long', async () => {
  const { shell, store, folder } = await publish(40);
  shell.prepare('UPDATE posts SET html = ?').run(`<p>${'long '.repeat(60_000)}</p>`);
  // The newest is rendered among the first.
  shell.exec(
    "UPDATE posts SET html = '<p>' WHERE rowid = 40; UPDATE posts SET published_at = 'never' WHERE rowid = 40",
  );
  const failed = buildInto(store, join(folder, 'tree'));
  await expect(failed).rejects.toMatchObject({ code: 'BUILD_INPUT_INVALID' });
  const { details } = (await failed.catch((error: unknown) => error)) as { details: unknown[] };
  expect(details).toHaveLength(1);
});

const DESCRIPTORS = '/proc/self/fd';

test.skipIf(!existsSync(DESCRIPTORS)).each([
  ['while records are rendered', 'onProgress'],
  ['once its lists are written', 'onPlacing'],
] as const)('a build that fails %s leaves no file open', async (_moment, hook) => {
  const { store, folder } = await publish(1_001);
  await buildInto(store, join(folder, 'other'));
  const before = readdirSync(DESCRIPTORS).length;
  const fail = (): never => {
    throw new Error('amid');
  };
  const failed = buildInto(store, join(folder, 'tree'), { [hook]: fail });
  await expect(failed).rejects.toThrow('amid');
  expect(readdirSync(DESCRIPTORS)).toHaveLength(before);
});
