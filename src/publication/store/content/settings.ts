// Queries of the publication's settings.
import { createId } from '../../../base/ids.ts';
import { toStoredTime } from '../../../base/time.ts';
import { db, type Queryable, type Transaction } from '../db.ts';
import { findRow, rowsOf } from '../table-rows.ts';

/** There in a publication whose pages for readers are made unless the setting `site` says otherwise. */
export const SITE_SETTING = 'prepress_site';

/** There while the publication is the sample. */
export const SAMPLE_SETTING = 'prepress_sample';

/** The value of a setting, or null when it is absent or empty. */
export const findSetting = async (from: Queryable, key: string): Promise<string | null> =>
  (await findRow(from, 'settings', { key }))?.value || null;

export const listSettings = async (from: Queryable): Promise<Map<string, string | null>> => {
  const rows = await db(from).selectFrom('settings').select(['key', 'value']).execute();
  return new Map(rows.map(({ key, value }) => [key, value]));
};

/** Makes the setting when it is absent; leaves it alone when it has that value; an empty one is none. */
export const saveSetting = async (
  tx: Transaction,
  {
    key,
    value,
    type,
  }: { readonly key: string; readonly value: string | null; readonly type: string },
  nowMs: number,
): Promise<void> => {
  const at = toStoredTime(nowMs);
  const present = await findRow(tx, 'settings', { key });
  if (present === undefined) {
    const row = { id: createId(nowMs), key, value, type, created_at: at, updated_at: at };
    await insert(tx, row);
  } else if ((present.value ?? '') !== (value ?? '')) {
    await update(tx, present.id, { value, updated_at: at });
  }
};

const { insert, update } = rowsOf('settings');
