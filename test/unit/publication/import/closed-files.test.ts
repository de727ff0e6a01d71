// What this user may not read is named, with what opens it: no path is doubted.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LET_READ } from '../../../../src/base/files/as-owner.ts';
import { findImages } from '../../../../src/publication/import/images/images.ts';
import { isMembersCsv } from '../../../../src/publication/import/members-csv/members-csv-file.ts';
import { readRedirects } from '../../../../src/publication/import/redirects/read-redirects.ts';
import { asReadError } from '../../../../src/publication/sources/ghost-sqlite/fetch-copy.ts';
import { openSource } from '../../../../src/publication/sources/open-source.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const NOBODY = 65_534;

/** What it throws as another user than the owner. */
const thrownAsOther = async (run: () => Promise<unknown>): Promise<unknown> => {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(NOBODY);
  try {
    return await run().catch((error: unknown) => error);
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
};

const closedAs = (path: string, code = 'IMPORT_UNREADABLE') =>
  expect.objectContaining({
    code,
    message: `This user may not read ${path} (EACCES).`,
    hint: LET_READ,
  });

test('a file or folder to import that is closed to this user', async () => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  const file = join(folder, 'a');
  writeFileSync(file, 'email', { mode: 0o000 });
  const images = join(folder, 'content');
  mkdirSync(join(images, 'images'), { recursive: true });
  chmodSync(images, 0o600);
  for (const read of [openSource, isMembersCsv, readRedirects]) {
    expect(await thrownAsOther(() => read(file))).toEqual(closedAs(file));
  }
  for (const path of [images, join(images, 'images')]) {
    expect(await thrownAsOther(() => findImages(path))).toEqual(closedAs(path));
  }
  const log = `${file}-wal`;
  const cause = Object.assign(new Error(), { code: 'EACCES', path: log });
  expect(asReadError(file, cause)).toEqual(closedAs(log, 'SOURCE_NO_PERMISSION'));
});
