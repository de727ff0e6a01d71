// Where there are no hard links, copies serve, and their bytes are synced as those of any file.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { openSecretBox } from '../../../../src/publication/store/access/secrets.ts';
import { placeTreeCopies } from '../../../../src/publish/output/copies/tree-copies.ts';
import { createRecordFileWriter } from '../../../../src/publish/output/session/record-file-writer.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';
import { NO_SYNC } from '../../../helpers/tree.ts';

/** Names of files whose bytes were written under them, and of those that a link was asked for. */
const { written, refused } = vi.hoisted(() => ({
  written: [] as unknown[],
  refused: [] as string[],
}));

vi.mock('node:fs', async (load) => {
  const fs = await load<typeof import('node:fs')>();
  return {
    ...fs,
    writeFileSync: (...given: Parameters<typeof fs.writeFileSync>) => {
      written.push(given[0]);
      fs.writeFileSync(...given);
    },
    linkSync: (from: string) => {
      refused.push(from);
      throw Object.assign(new Error('EPERM: link'), { code: 'EPERM', syscall: 'link' });
    },
  };
});

test('a second name that is a copy is no hard link, so it is synced by itself', () => {
  const root = temporaryFolder();
  const writer = createRecordFileWriter(
    { kind: 'replace', root, staging: join(root, 'staged'), compare: false, encodings: [] },
    'w',
  );
  const id = '65'.repeat(12);
  writer.put([`posts/${id}`, 'posts/slug/one'], 'index.json', Buffer.from('{}'));
  const { staged } = writer.take();
  expect(staged.map(({ isAlias }) => isAlias)).toEqual([false, false]);
  for (const { temporary } of staged) expect(readFileSync(temporary, 'utf8')).toBe('{}');
});

test('copies for hosts are synced before they get their names', async () => {
  const root = temporaryFolder();
  mkdirSync(join(root, 'content'));
  writeFileSync(join(root, 'content/a.json'), '{}');
  const copy = join(root, 'content/a/index.html');
  const synced: { readonly bytes: string; readonly isPlaced: boolean }[] = [];
  await placeTreeCopies({
    root,
    content: 'content',
    record: join(root, 'record.json'),
    copies: [{ path: 'content/a/index.html', source: 'content/a.json' }],
    durability: {
      ...NO_SYNC,
      syncPaths: async (_, paths) => {
        for (const path of paths) {
          synced.push({ bytes: readFileSync(path, 'utf8'), isPlaced: existsSync(copy) });
        }
      },
    },
  });
  expect(synced).toEqual([{ bytes: '{}', isPlaced: false }]);
  expect(readFileSync(copy, 'utf8')).toBe('{}');
});

test('a key is made whole under another name', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'secret.key');
  const sealed = openSecretBox(path).seal('text');
  expect(readdirSync(folder)).toEqual(['secret.key']);
  expect(written).not.toContain(path);
  expect(openSecretBox(path).open(sealed)).toBe('text');
});
