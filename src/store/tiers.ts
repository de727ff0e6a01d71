// Queries of tiers.
import type { RecordRow } from './snapshot.ts';
import type { Reader } from './store.ts';

/** Every tier, in the order of their making. */
export const listTiers = (reader: Reader): Promise<RecordRow<'tiers'>[]> =>
  reader.selectFrom('tiers').selectAll().orderBy('created_at').orderBy('id').execute();
