// Queries of the publication's settings.
import type { Reader } from './store.ts';

/** The value of a setting, or null when it is absent or empty. */
export const findSetting = async (reader: Reader, key: string): Promise<string | null> => {
  const row = await reader
    .selectFrom('settings')
    .select('value')
    .where('key', '=', key)
    .executeTakeFirst();
  return row?.value || null;
};
