// Queries of the table of API keys. A revoked key keeps its row; it is never found by what clients send.
import { type Insertable, type Selectable, sql } from 'kysely';
import type { ApiKeysTable } from '../../tables/pipeline.ts';
import { db, type Queryable, type Transaction } from '../db.ts';
import { insertRow } from '../table-rows.ts';

export type KeyRow = Selectable<ApiKeysTable>;

export const insertKey = (writer: Transaction, row: Insertable<ApiKeysTable>): Promise<void> =>
  insertRow(writer, 'api_keys', row);

/** The key that is in force and whose secret has this SHA-256, of any type. */
export const findKeyByHash = (reader: Queryable, sha256: string): Promise<KeyRow | undefined> =>
  db(reader)
    .selectFrom('api_keys')
    .selectAll()
    .where('secret_sha256', '=', sha256)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();

/** The key of that id if it is in force, of any type. */
export const findKeyById = (reader: Queryable, id: string): Promise<KeyRow | undefined> =>
  db(reader)
    .selectFrom('api_keys')
    .selectAll()
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();

/**
 * The key of that id, of any type and revoked or not, else any key: one row is read whatever the id is, so that the
 * time of it does not tell which keys exist. Undefined while there is no key.
 */
export const findSigner = (reader: Queryable, id: string): Promise<KeyRow | undefined> =>
  db(reader)
    .selectFrom('api_keys')
    .selectAll()
    .orderBy(sql`id = ${id}`, 'desc')
    .limit(1)
    .executeTakeFirst();

/** Whether an owner key of that id is in force. */
export const isOwnerKey = async (reader: Queryable, id: string): Promise<boolean> =>
  (await findKeyById(reader, id))?.is_owner === 1;

/** Every key, revoked ones too, oldest first. */
export const listKeyRows = (reader: Queryable): Promise<KeyRow[]> =>
  db(reader).selectFrom('api_keys').selectAll().orderBy('created_at').orderBy('id').execute();

/** False when no key in force has that id. */
export const revokeKeyRow = async (
  writer: Transaction,
  id: string,
  nowMs: number,
): Promise<boolean> => {
  const result = await db(writer)
    .updateTable('api_keys')
    .set({ revoked_at: nowMs })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
};

/** Notes when keys were used last. */
export const noteKeysSeen = async (
  writer: Transaction,
  times: ReadonlyMap<string, number>,
): Promise<void> => {
  for (const [id, last_seen_at] of times) {
    await db(writer).updateTable('api_keys').set({ last_seen_at }).where('id', '=', id).execute();
  }
};

/** Whether a key or a webhook has a secret that only the key file opens. */
export const hasSealedSecrets = async (reader: Queryable): Promise<boolean> => {
  for (const table of ['api_keys', 'webhooks'] as const) {
    const row = await db(reader).selectFrom(table).select('id').limit(1).executeTakeFirst();
    if (row !== undefined) return true;
  }
  return false;
};

/** Which of the types have had a key, in force or revoked. */
export const keyTypes = async (reader: Queryable): Promise<Set<string>> => {
  const rows = await db(reader).selectFrom('api_keys').select('type').distinct().execute();
  return new Set(rows.map(({ type }) => type));
};
