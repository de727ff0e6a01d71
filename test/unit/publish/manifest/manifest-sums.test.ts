// A row of the manifest that a disk changed is not believed: SQLite hands it out as it is.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadDriver } from '../../../../src/base/sqlite/driver.ts';
import type { RecordEntry } from '../../../../src/publish/manifest/manifest.ts';
import { openManifest } from '../../../../src/publish/manifest/open-manifest.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const ID = '64d623b64676110001e897d9';

const ENTRY: RecordEntry = {
  id: ID,
  slug: 'one',
  segment: 'one',
  fold: 'one',
  ms: 1_700_000_000_000,
  // Half of a surrogate pair.
  title: 'One \uD83D',
  pack: Buffer.from('{"pack":1}'),
  sizes: [10, 20, 30, 40],
  hashes: [1, 2, 3, 4].map((byte) => Buffer.alloc(32, byte)),
};

const STATE = {
  root: '/output/content',
  fingerprint: 'abc',
  position: { epoch: 'e', seq: 7, nonce: 'n' },
  generation: 3,
};

const createManifest = () => {
  const path = join(temporaryFolder(), 'build.db');
  const manifest = openManifest(path);
  manifest.begin();
  manifest.putEntry('posts', ENTRY);
  manifest.commit(STATE);
  const change = (sql: string): void => {
    const other = new (loadDriver())(path);
    other.exec(sql);
    other.close();
  };
  return { manifest, change };
};

test('rows that are as they were written are believed', () => {
  const { manifest } = createManifest();
  expect(manifest.state()).toEqual(STATE);
  expect(manifest.entries('posts', [ID]).get(ID)?.hashes).toEqual(ENTRY.hashes);
  expect(manifest.remakeIfDamaged()).toBe(false);
  manifest.moveTo({ ...STATE.position, seq: 9 });
  expect(manifest.state()?.position.seq).toBe(9);
  manifest.begin();
  expect(manifest.state()).toBeNull();
  manifest.rollback({ treeUntouched: true });
  expect(manifest.state()?.position.seq).toBe(9);
  manifest.begin();
  manifest.rollback({ treeUntouched: false });
  expect(manifest.state()).toBeNull();
  manifest.close();
});

const STATE_COLUMNS = ['root', 'fingerprint', 'epoch', 'seq', 'nonce', 'generation', 'sum'];
const RECORD_COLUMNS = ['slug', 'segment', 'fold', 'ms', 'title', 'pack', 'sizes', 'hashes', 'sum'];

test('a state with another value shows nothing', () => {
  for (const column of STATE_COLUMNS) {
    const { manifest, change } = createManifest();
    change(`UPDATE state SET ${column} = ${column} || 1`);
    expect(manifest.state(), column).toBeNull();
    manifest.moveTo({ ...STATE.position, seq: 9 });
    expect(manifest.state(), column).toBeNull();
    manifest.close();
  }
});

test('a record with another value is damage of the manifest', () => {
  for (const column of RECORD_COLUMNS) {
    const { manifest, change } = createManifest();
    change(`UPDATE records SET ${column} = ${column} || 1`);
    expect(() => manifest.entries('posts', [ID]), column).toThrow(
      expect.objectContaining({ code: 'SQLITE_CORRUPT_RECORDS' }),
    );
    expect([manifest.remakeIfDamaged(), manifest.count('posts')]).toEqual([true, 0]);
    manifest.close();
  }
});
