// Requests to verify an address: kept by the SHA-256 of their token, never by the token.
import { type Selectable, sql } from 'kysely';
import type { Reader, Writer } from './store.ts';
import type { VerificationTokensTable } from './tables/pipeline.ts';

export type VerificationRow = Selectable<VerificationTokensTable>;

export const insertVerification = async (writer: Writer, row: VerificationRow): Promise<void> => {
  await writer.insertInto('verification_tokens').values(row).execute();
};

export const findVerification = (
  reader: Reader,
  sha256: string,
): Promise<VerificationRow | undefined> =>
  reader
    .selectFrom('verification_tokens')
    .selectAll()
    .where('token_sha256', '=', sha256)
    .executeTakeFirst();

/** Marks the request as used if it may be; at most one caller is answered with it. */
export const useVerification = (
  writer: Writer,
  sha256: string,
  now: number,
): Promise<VerificationRow | undefined> =>
  writer
    .updateTable('verification_tokens')
    .set({ used_at: now })
    .where('token_sha256', '=', sha256)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();

/** Ends every open request of that newsletter. */
export const revokeVerifications = async (
  writer: Writer,
  newsletterId: string,
  now: number,
): Promise<void> => {
  await writer
    .updateTable('verification_tokens')
    .set({ revoked_at: now })
    .where('newsletter_id', '=', newsletterId)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute();
};

/** Forgets a request whose mail was not taken, and opens again what it had ended. */
export const withdrawVerification = async (
  writer: Writer,
  request: { readonly sha256: string; readonly newsletterId: string; readonly madeAt: number },
): Promise<void> => {
  await writer
    .deleteFrom('verification_tokens')
    .where('token_sha256', '=', request.sha256)
    .execute();
  await writer
    .updateTable('verification_tokens')
    .set({ revoked_at: null })
    .where('newsletter_id', '=', request.newsletterId)
    .where('revoked_at', '=', request.madeAt)
    .execute();
};

/** Requests made for that address since then, whatever became of them. */
export const countVerifications = async (
  reader: Reader,
  address: string,
  since: number,
): Promise<number> => {
  const row = await reader
    .selectFrom('verification_tokens')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where(sql`lower(value)`, '=', sql`lower(${address})`)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow();
  return row.total;
};

/** Forgets requests that ended long ago. */
export const purgeVerifications = async (writer: Writer, before: number): Promise<void> => {
  await writer.deleteFrom('verification_tokens').where('expires_at', '<', before).execute();
};
