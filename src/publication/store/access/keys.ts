// Queries of the table of API keys. A revoked key keeps its row; it is never found by what clients send.
import { type Selectable, sql } from 'kysely';
import type { ApiKeysTable } from '../../tables/pipeline.ts';
import { db, type Queryable, type Transaction } from '../db.ts';
import { findRow, listRows, rowsOf } from '../table-rows.ts';

export type KeyRow = Selectable<ApiKeysTable>;

export const { insert: insertKey } = rowsOf('api_keys');

/** The key that is in force and whose secret has this SHA-256, of any type. */
export const findKeyByHash = (from: Queryable, sha256: string): Promise<KeyRow | undefined> =>
  findRow(from, 'api_keys', { secret_sha256: sha256, revoked_at: null });

/** The key of that id if it is in force, of any type. */
export const findKeyById = (from: Queryable, id: string): Promise<KeyRow | undefined> =>
  findRow(from, 'api_keys', { id, revoked_at: null });

/**
 * The key of that id, of any type and revoked or not, else any key: one row is read whatever the id is, so that the
 * time of it does not tell which keys exist. Undefined while there is no key.
 */
export const findSigner = (from: Queryable, id: string): Promise<KeyRow | undefined> =>
  db(from)
    .selectFrom('api_keys')
    .selectAll()
    .orderBy(sql`id = ${id}`, 'desc')
    .limit(1)
    .executeTakeFirst();

export const isOwnerKey = async (from: Queryable, id: string): Promise<boolean> =>
  (await findKeyById(from, id))?.is_owner === 1;

/** Every key, revoked ones too, oldest first. */
export const listKeyRows = (from: Queryable): Promise<KeyRow[]> =>
  listRows(from, 'api_keys', { by: ['created_at', 'id'] });

/**
 * False when no key in force has that id. Webhooks of a key that is no owner's send nothing from then on, until an owner
 * saves them: whoever stole the key may have made them.
 */
export const revokeKeyRow = async (
  tx: Transaction,
  id: string,
  nowMs: number,
): Promise<boolean> => {
  const result = await db(tx)
    .updateTable('api_keys')
    .set({ revoked_at: nowMs })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (result.numUpdatedRows === 0n) return false;
  await db(tx)
    .updateTable('webhooks')
    .set({ status: 'disabled', disabled_reason: REVOKED, owner_told_at: null })
    .where('integration_id', '=', id)
    .where('status', '=', 'enabled')
    .where(sql<boolean>`(SELECT is_owner FROM api_keys WHERE id = ${id}) = 0`)
    .execute();
  return true;
};

const REVOKED = 'The key that made it was revoked.';

export const noteKeysSeen = async (
  tx: Transaction,
  times: ReadonlyMap<string, number>,
): Promise<void> => {
  for (const [id, last_seen_at] of times) {
    await db(tx).updateTable('api_keys').set({ last_seen_at }).where('id', '=', id).execute();
  }
};

/** The oldest secret of a key, or else of a webhook: only the key file opens it. */
export const findSealedSecret = async (from: Queryable): Promise<Uint8Array | undefined> => {
  for (const table of ['api_keys', 'webhooks'] as const) {
    const select = db(from).selectFrom(table).select('secret_sealed');
    const row = await select.orderBy('created_at').orderBy('id').limit(1).executeTakeFirst();
    if (row !== undefined) return row.secret_sealed;
  }
  return undefined;
};

/** Which of the types have had a key, in force or revoked. */
export const keyTypes = async (from: Queryable): Promise<Set<string>> => {
  const rows = await db(from).selectFrom('api_keys').select('type').distinct().execute();
  return new Set(rows.map(({ type }) => type));
};
