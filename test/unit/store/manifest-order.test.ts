// The order of a resource is handed out as it was put, whatever the texts that records are sorted by, or not at all.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadDriver } from '../../../src/store/sqlite/driver.ts';
import { openManifest } from '../../../src/store/sqlite/manifest-db.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const idOf = (at: number): string => at.toString(16).padStart(24, '0');

test.each([
  [
    'texts',
    ['', 'a,b', '"quoted"', '[1]', "it's\\", 'line\nline', 'null', '7', 'é 😀 \u2028', 'a\0b'],
  ],
  ['times', [0, -62_135_596_800_000, 253_402_300_799_999, 1_795_328_704_466]],
])('records that are sorted by %s', (_name, sorts) => {
  const manifest = openManifest(join(temporaryFolder(), 'build.db'));
  onTestFinished(() => manifest.close());
  expect(manifest.order('pages')).toEqual([]);
  manifest.begin();
  const entries = sorts.map((sort, at) => ({
    id: idOf(at),
    slug: `s${at}`,
    segment: `s${at}`,
    fold: `s${at}`,
    sort,
    isPublic: at % 2 === 0,
    sizes: [at, at + 1, at + 2, at + 3],
    hashes: [0, 1, 2, 3].map((variant) => Buffer.alloc(32, variant)),
  }));
  for (const entry of entries) manifest.putEntry('pages', entry);
  expect(manifest.order('pages')).toEqual(
    entries.map(({ id, sort, isPublic, sizes }) => ({ id, sort, isPublic, sizes })),
  );
  expect(manifest.order('posts')).toEqual([]);
  manifest.rollback({ treeUntouched: true });
});

test.each([
  ['the id', `id = '${idOf(9)}'`],
  ['what it is sorted by', "sort = 'Z'"],
  ['whether strangers see it', 'is_public = 1 - is_public'],
  ['a size', "sizes = '[1,3,3,4]'"],
  ['sizes that are none', "sizes = '[1,2,3,4'"],
])('a record in which %s was changed is damage; put or removed ones are none', (_what, change) => {
  const path = join(temporaryFolder(), 'build.db');
  const reasons: string[] = [];
  const manifest = openManifest(path, { onRemade: (_path, reason) => void reasons.push(reason) });
  onTestFinished(() => manifest.close());
  const put = (at: number, sort: string): void =>
    manifest.putEntry('tags', {
      id: idOf(at),
      slug: `s${at}`,
      segment: `s${at}`,
      fold: `s${at}`,
      sort,
      isPublic: true,
      sizes: [1, 2, 3, 4],
      hashes: [Buffer.alloc(32)],
    });
  const position = { epoch: 'e', seq: 1, nonce: 'n' };
  const commit = (): void =>
    manifest.commit({ root: '/', fingerprint: 'f', generation: 1, position });
  manifest.begin();
  manifest.clear();
  for (const at of [0, 1, 2]) put(at, 'A');
  put(2, 'B');
  commit();
  manifest.begin();
  put(1, 'C');
  put(3, 'D');
  manifest.removeEntry('tags', idOf(0));
  manifest.removeEntry('tags', idOf(7));
  commit();
  manifest.begin();
  put(1, 'E');
  manifest.rollback({ treeUntouched: true });
  expect(manifest.order('tags').map(({ sort }) => sort)).toEqual(['C', 'B', 'D']);
  expect(manifest.remakeIfDamaged()).toBe(false);
  const other = new (loadDriver())(path);
  other.exec(`UPDATE records SET ${change} WHERE id = '${idOf(1)}'`);
  other.close();
  expect(() => manifest.order('tags')).toThrow('not as they were written');
  expect(manifest.remakeIfDamaged()).toBe(true);
  expect(reasons).toEqual(['records are not as they were written']);
  expect(manifest.order('tags')).toEqual([]);
});
