// Requests to verify an address: kept by the SHA-256 of their token, never by the token. The mails that carry
// the links are kept apart, because they count from before they are sent, and their requests from after.
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { VerificationMailsTable, VerificationTokensTable } from '../../tables/pipeline.ts';
import { db, type Queryable, type Transaction } from '../db.ts';
import { findRow, rowsOf } from '../table-rows.ts';

export type VerificationRow = Selectable<VerificationTokensTable>;

export const insertVerification = async (tx: Transaction, row: VerificationRow): Promise<void> => {
  await db(tx).insertInto('verification_tokens').values(row).execute();
};

export const findVerification = (
  from: Queryable,
  sha256: string,
): Promise<VerificationRow | undefined> =>
  findRow(from, 'verification_tokens', { token_sha256: sha256 });

/** Those whose link still verifies an address. */
export const listOpenVerifications = (from: Queryable, now: number): Promise<VerificationRow[]> =>
  db(from)
    .selectFrom('verification_tokens')
    .selectAll()
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('created_at')
    .execute();

/** Marks the request as used if it may be; at most one caller is answered with it. */
export const useVerification = (
  tx: Transaction,
  sha256: string,
  now: number,
): Promise<VerificationRow | undefined> =>
  db(tx)
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
  tx: Transaction,
  newsletterId: string,
  now: number,
): Promise<void> => {
  await db(tx)
    .updateTable('verification_tokens')
    .set({ revoked_at: now })
    .where('newsletter_id', '=', newsletterId)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute();
};

export type VerificationMailRow = Selectable<VerificationMailsTable>;

export const { insert: insertVerificationMail, remove: deleteVerificationMail } =
  rowsOf('verification_mails');

/** Those of a later time were sent while the clock ran ahead: they hold up nothing for years. */
type Span = { readonly since: number; readonly until: number };

/** Mails to that address in that time, letter case aside. */
export const countMailsTo = (from: Queryable, address: string, span: Span): Promise<number> =>
  countMails(from, span, sql<boolean>`lower(address) = lower(${address})`);

export const countMailsOf = (from: Queryable, keyId: string, span: Span): Promise<number> =>
  countMails(from, span, sql<boolean>`key_id = ${keyId}`);

const countMails = async (
  from: Queryable,
  { since, until }: Span,
  condition: RawBuilder<boolean>,
): Promise<number> => {
  const row = await db(from)
    .selectFrom('verification_mails')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where(condition)
    .where('created_at', '>', since)
    .where('created_at', '<=', until)
    .executeTakeFirstOrThrow();
  return row.total;
};

type Purge = { readonly requestsBefore: number; readonly mailsBefore: number };

/** Drops requests that ended long ago, and mails that no longer count. */
export const purgeVerifications = async (
  tx: Transaction,
  { requestsBefore, mailsBefore }: Purge,
): Promise<void> => {
  await db(tx).deleteFrom('verification_tokens').where('expires_at', '<', requestsBefore).execute();
  await db(tx).deleteFrom('verification_mails').where('created_at', '<', mailsBefore).execute();
};
