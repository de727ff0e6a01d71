// A disk that can only be read: what is opened or copied there is refused with that reason. There and on a full one, what
// only reads reads a copy.

import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { systemReason } from '../../../../src/base/files/disk-error.ts';
import { findUnwritableReason } from '../../../../src/base/files/unwritable.ts';
import { backupDatabase } from '../../../../src/publication/store/back-up-database.ts';
import { db } from '../../../../src/publication/store/db.ts';
import { openStore } from '../../../../src/publication/store/open-store.ts';
import { openReadable } from '../../../../src/serve/workspace/readable-data.ts';
import { openWorkspace } from '../../../../src/serve/workspace/workspace.ts';
import { createPublication } from '../../../helpers/publication.ts';
import { suiteFolder } from '../../../helpers/suite-folder.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';
import { testConfig } from '../../../helpers/tree.ts';

let disk = '';

const failure = (code: string, path: string | undefined): Error =>
  Object.assign(new Error(code), { code, path });

/** Root may mount one in memory. */
beforeAll(async () => {
  const folder = suiteFolder();
  const place = join(folder.path, 'disk');
  mkdirSync(place);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m,nr_inodes=100', 'none', place], {
      stdio: 'pipe',
    });
  } catch {
    return folder.remove;
  }
  disk = place;
  return () => {
    execFileSync('umount', [place]);
    folder.remove();
  };
});

const remount = (mode: 'ro' | 'rw'): unknown =>
  execFileSync('mount', ['-o', `remount,${mode}`, disk]);

const fill = (): void => {
  try {
    for (;;) appendFileSync(join(disk, 'fill'), Buffer.alloc(4096));
  } catch {
    // It is full.
  }
};

const takeAllNames = (): void => {
  mkdirSync(join(disk, 'names'));
  try {
    for (let at = 0; ; at += 1) writeFileSync(join(disk, 'names', `${at}`), '');
  } catch {
    // There are none left.
  }
};

test('what only reads reads a copy, which is gone afterwards', async ({ skip }) => {
  if (disk === '') skip('no disk can be mounted here: run as root');
  const config = testConfig({ database: join(disk, 'data/publication.db') });
  mkdirSync(join(disk, 'data/old'), { recursive: true });
  await (await openStore(config.database, { create: true })).close();
  chmodSync(config.database, 0o644);
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const given = openReadable(config);
  expect(given.config).toBe(config);
  for (const [reason, prevent, allow] of [
    ['is on a full disk', fill, () => rmSync(join(disk, 'fill'))],
    ['is out of inodes', takeAllNames, () => rmSync(join(disk, 'names'), { recursive: true })],
    ['is on a read-only disk', () => remount('ro'), () => remount('rw')],
  ] as const) {
    prevent();
    expect(findUnwritableReason(disk)).toContain(reason);
    const path = join(disk, 'gone', 'again', 'file');
    expect(systemReason(failure('ENOSPC', path))).toContain(reason);
    const readable = openReadable(config);
    expect(existsSync(join(dirname(readable.config.database), 'old'))).toBe(false);
    const store = await openStore(readable.config.database);
    expect(await db(store).selectFrom('tags').select('slug').execute()).toEqual([]);
    await store.close();
    expect(statSync(readable.config.database).mode & 0o007).toBe(0);
    expect(said.mock.lastCall?.[0]).toContain(`run "chmod -R o= ${join(disk, 'data')}"`);
    readable.close();
    expect(existsSync(dirname(readable.config.database))).toBe(false);
    expect(readable.config.media).toBe(join(disk, 'media'));
    allow();
  }
  said.mockRestore();
});

test('a copy that has no room there is named, and leaves nothing', async ({ skip }) => {
  if (disk === '') skip('no disk can be mounted here: run as root');
  const { path } = await createPublication();
  fill();
  await expect(backupDatabase(path, join(disk, 'copy.db'))).rejects.toMatchObject({
    code: 'FILE_FAILED',
    message: `There is no room for the copy in ${disk} (SQLITE_FULL).`,
  });
  rmSync(join(disk, 'fill'));
  expect(readdirSync(disk).filter((name) => name.startsWith('copy'))).toEqual([]);
});

test.skipIf(process.getuid?.() !== 0)('what only the owner may read is no full disk', async () => {
  const config = testConfig({ database: join(temporaryFolder(), 'data/publication.db') });
  await (await openWorkspace(config, { create: true })).close();
  chmodSync(dirname(config.database), 0o755);
  chmodSync(config.database, 0o644);
  process.seteuid?.(65_534);
  onTestFinished(() => process.seteuid?.(0));
  expect(() => openReadable(config)).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(/^This user may not read .*data\/.* \(EACCES\)\.$/),
      hint: expect.stringContaining('sudo -u'),
    }),
  );
});

test('a database that lies there is not opened, and none is copied there', async ({ skip }) => {
  if (disk === '') skip('no disk can be mounted here: run as root');
  const path = join(disk, 'publication.db');
  await (await openStore(path, { create: true })).close();
  remount('ro');
  const reason = `${disk} is on a read-only disk (EROFS)`;
  await expect(openStore(path)).rejects.toMatchObject({
    code: 'DATABASE_UNWRITABLE',
    message: `The database ${path} cannot be opened: ${reason}.`,
  });
  const other = await createPublication();
  const copy = join(disk, 'copy.db');
  await expect(backupDatabase(other.path, copy)).rejects.toMatchObject({
    code: 'DATABASE_UNWRITABLE',
    message: `No copy can be made at ${copy}: ${reason}.`,
  });
});

test('why a folder takes nothing is said in words, and of one that does, nothing', () => {
  const folder = temporaryFolder();
  expect(findUnwritableReason(folder)).toBeNull();
  const full = 'the disk was full or out of inodes (ENOSPC)';
  expect([folder, undefined].map((path) => systemReason(failure('ENOSPC', path)))).toEqual([
    full,
    full,
  ]);
  const absent = join(folder, 'absent');
  expect(findUnwritableReason(absent)).toBe(`there is no folder ${absent}`);
});
