// Edits in quick succession: a server that tells files apart by size and second sees each of them.
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPublication } from '../../../helpers/publication.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';
import { buildInto, testConfig } from '../../../helpers/tree.ts';

test('edits of equal length are of different seconds, and the next edit trusts what it finds', async () => {
  const { store, insert, shell } = await createPublication();
  const id = insert('posts', {
    slug: 'one',
    title: 'Title 0',
    status: 'published',
    published_at: '2026-01-01T10:00:00.000Z',
  });
  const folder = join(temporaryFolder(), 'output');
  const config = testConfig({ precompress: 'gzip' });
  const etags = (): Map<string, string> =>
    new Map(
      [join('posts', id), 'posts', 'posts/slug/one'].flatMap((place) =>
        readdirSync(join(folder, 'content', place))
          // The page after the last one holds no post, so no edit changes it.
          .filter((name) => name.includes('.json') && !name.startsWith('page-2'))
          .map((name) => {
            const path = join(folder, 'content', place, name);
            const { size, mtimeMs } = lstatSync(path);
            return [path, `${Math.floor(mtimeMs / 1_000)}-${size}`] as const;
          }),
      ),
    );
  await buildInto(store, folder, { config });
  const seen = [etags()];
  for (let edit = 1; edit <= 3; edit += 1) {
    shell.prepare('UPDATE posts SET title = ?').run(`Title ${edit}`);
    const { kind } = await buildInto(store, folder, { config });
    expect(kind).toBe('incremental');
    seen.push(etags());
  }
  const [first] = seen;
  expect(first?.size).toBe(24);
  for (const path of first?.keys() ?? [])
    expect(new Set(seen.map((one) => one.get(path))).size, path).toBe(4);
});
