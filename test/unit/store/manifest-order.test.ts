// The order of a resource is handed out as it was put, whatever the texts that records are sorted by.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
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
