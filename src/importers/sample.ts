// The sample publication: filled in when someone tries Prepress, and taken out again when the first real
// site is imported into the same database. Rows that were added to it stay.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sample from '../../data/sample-publication.json' with { type: 'json' };
import { createId } from '../base/ids.ts';
import { toStoredTime } from '../base/time.ts';
import { deleteRows, findRows, insertRows } from '../store/import-rows.ts';
import type { Store, Writer } from '../store/store.ts';
import { importGhostExport } from './ghost-export.ts';
import { GHOST_TABLES } from './ghost-tables.ts';

const MARK = 'prepress_sample';
const CHUNK = 200;

export const importSample = async (store: Store, siteUrl: string): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'prepress-sample-'));
  try {
    const file = join(folder, 'sample.json');
    writeFileSync(file, JSON.stringify(sample));
    await importGhostExport(store, file, { siteUrl });
  } finally {
    rmSync(folder, { recursive: true });
  }
  await store.write(async (writer) => {
    const now = toStoredTime(Date.now());
    const row = { id: createId(), group: 'core', key: MARK, value: '1', type: 'boolean' };
    await insertRows(writer, 'settings', [{ ...row, created_at: now, updated_at: now }]);
  });
};

/** Removes the sample's rows if they are there: the settings stay, an import sets its own. */
export const removeSample = async (writer: Writer): Promise<void> => {
  const [mark] = await findRows(writer, { table: 'settings', by: 'key', values: [MARK] });
  if (mark === undefined) return;
  const tables: Readonly<Record<string, readonly { readonly id: string }[]>> =
    sample.db[0]?.data ?? {};
  for (const { from, into } of GHOST_TABLES.toReversed()) {
    if (into === 'settings') continue;
    const ids = (tables[from] ?? []).map(({ id }) => id);
    for (let at = 0; at < ids.length; at += CHUNK) {
      await deleteRows(writer, into, ids.slice(at, at + CHUNK));
    }
  }
  await deleteRows(writer, 'settings', [String(mark.id)]);
};
