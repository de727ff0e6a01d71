import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openConnection } from '../../../../src/base/sqlite/connection.ts';
import { acquireBuildLock } from '../../../../src/publication/store/locks/build-lock.ts';
import {
  holdPresence,
  isSomebodyPresent,
} from '../../../../src/publication/store/locks/deliverer-presence.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const GARBAGE = 'no database, '.repeat(100);

test('a damaged file of a lock is made again, and locks', async () => {
  const path = join(temporaryFolder(), 'build.lock.db');
  writeFileSync(path, GARBAGE);
  const lock = await acquireBuildLock(path, 0);
  expect(readFileSync(path, 'utf8')).toBe('');
  await expect(acquireBuildLock(path, 0)).rejects.toMatchObject({ code: 'BUILD_BUSY' });
  lock.release();
  (await acquireBuildLock(path, 0)).release();
});

test('a damaged file of presences is made again by whoever holds and whoever looks', async () => {
  const path = join(temporaryFolder(), 'deliverer.lock.db');
  writeFileSync(path, GARBAGE);
  expect(isSomebodyPresent(path)).toBe(false);
  writeFileSync(path, GARBAGE);
  const presence = await holdPresence(path);
  expect(isSomebodyPresent(path)).toBe(true);
  presence.release();
  expect(isSomebodyPresent(path)).toBe(false);
});

test('a lock takes nothing of the disk beside its empty file', async () => {
  const folder = temporaryFolder();
  const lock = await acquireBuildLock(join(folder, 'build.lock.db'), 0);
  expect(readdirSync(folder)).toEqual(['build.lock.db']);
  expect(readFileSync(join(folder, 'build.lock.db'), 'utf8')).toBe('');
  lock.release();
});

test('a lock that cannot be had names its folder', async () => {
  const path = join(temporaryFolder(), 'absent', 'build.lock.db');
  const folder = join(path, '..');
  const sentence = { message: expect.stringMatching(/^The folder .*absent is not there\.$/) };
  await expect(acquireBuildLock(path, 0)).rejects.toMatchObject(sentence);
  mkdirSync(path, { recursive: true });
  await expect(acquireBuildLock(path, 0)).rejects.toMatchObject({ code: 'FILE_FAILED' });
  await expect(holdPresence(folder)).rejects.toMatchObject({ code: 'FILE_FAILED' });
});

test('a database that cannot be reached is not called absent', () => {
  const folder = temporaryFolder();
  const open = (path: string) => () => openConnection(join(folder, path), { mustExist: true });
  writeFileSync(join(folder, 'data'), '');
  symlinkSync('loop', join(folder, 'loop'));
  expect(open('data/publication.db')).toThrow(
    /data\/publication\.db cannot be reached: not a directory \(ENOTDIR\)\./,
  );
  expect(open('loop')).toThrow(expect.objectContaining({ code: 'DATABASE_UNWRITABLE' }));
  expect(open('absent.db')).toThrow(expect.objectContaining({ code: 'DATABASE_MISSING' }));
});
