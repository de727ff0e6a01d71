// A disk that can only be read: what is opened or copied there is refused with that reason.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { findUnwritableReason } from '../../../src/base/unwritable.ts';
import { backupDatabase } from '../../../src/store/backup.ts';
import { openStore } from '../../../src/store/store.ts';
import { createPublication } from '../../helpers/publication.ts';
import { suiteFolder } from '../../helpers/suite-folder.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

let disk = '';

/** Root may mount one in memory. */
beforeAll(async () => {
  const folder = suiteFolder();
  const place = join(folder.path, 'disk');
  mkdirSync(place);
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'none', place], { stdio: 'pipe' });
  } catch {
    return folder.remove;
  }
  disk = place;
  return () => {
    execFileSync('umount', [place]);
    folder.remove();
  };
});

test('a database that lies there is not opened, and none is copied there', async ({ skip }) => {
  if (disk === '') skip('no disk can be mounted here: run as root');
  const path = join(disk, 'publication.db');
  await (await openStore(path, { create: true })).close();
  execFileSync('mount', ['-o', 'remount,ro', disk]);
  const reason = `${disk} lies on a disk that can only be read (EROFS)`;
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
  const absent = join(folder, 'absent');
  expect(findUnwritableReason(absent)).toBe(`there is no folder ${absent}`);
});
