// A row that an import cannot take is named after its report was read, too: until it is imported, or given up.

import { expect, test } from 'vitest';
import { db } from '../../../../src/publication/store/db.ts';
import { forgetImportProblems } from '../../../../src/publication/store/import/followed.ts';
import type { Store } from '../../../../src/publication/store/store.ts';
import { brokenLine, listUnread } from '../../../../src/publish/build/set-aside/broken-rows.ts';
import { createPublication } from '../../../helpers/publication.ts';
import { type ExportData, idOf, importData, readData, rowOf } from './ghost-import.ts';

const namedRows = (store: Store): string[] => {
  const snapshot = store.snapshot();
  try {
    return listUnread(snapshot, 'interface').map(brokenLine);
  } finally {
    snapshot.close();
  }
};

const breakPost = (data: ExportData, title: unknown): ExportData => {
  Object.assign(rowOf(data, 'posts', idOf(2)), { title });
  return data;
};

test('rows of an import that cannot be read are named by row and column until they are mended', async () => {
  const site = await createPublication();
  const { store } = site;
  const end = 'Fix it and import again, or run "prepress import --accept" to leave it out.';
  const start = `Row ${idOf(2)} of posts could not be read at the last import (title is not a text)`;

  await importData(site, breakPost(readData(), ['a']));
  const first = namedRows(store);
  await importData(site, readData());
  const mended = namedRows(store);
  await importData(site, breakPost(readData(), ['a']));
  const again = namedRows(store);
  const forgotten = await store.write(forgetImportProblems);

  expect(first).toContain(`${start}; nothing of it is shown. ${end}`);
  expect(mended.filter((line) => line.startsWith(`Row ${idOf(2)}`))).toEqual([]);
  expect(again).toContain(`${start}; an earlier version is shown. ${end}`);
  expect([forgotten, namedRows(store)]).toEqual([again.length, []]);
});

test('a post that an import cannot read and the source has as a draft is shown no more', async () => {
  const site = await createPublication();
  const statusOf = async (): Promise<unknown> =>
    (
      await db(site.store).selectFrom('posts').select('status').where('id', '=', idOf(2)).execute()
    )[0]?.status;
  await importData(site, readData());
  const before = await statusOf();
  const data = breakPost(readData(), ['a']);
  Object.assign(rowOf(data, 'posts', idOf(2)), { status: 'draft' });
  await importData(site, data);
  expect([before, await statusOf()]).toEqual(['published', 'draft']);
});
