// The verification of an address that a newsletter is to be sent from: first the mail is booked and sent, then the save is
// stored with the request that its link opens. So no save is kept whose mail was not sent.
import { randomBytes } from 'node:crypto';
import { PrepressError } from '../../../base/errors.ts';
import { createId } from '../../../base/ids.ts';
import { MAILS_OF_KEY_MAX, MAILS_TO_ADDRESS_MAX } from '../../../base/limits.ts';
import { toStoredTime } from '../../../base/time.ts';
import {
  countMailsOf,
  countMailsTo,
  deleteVerificationMail,
  findVerification,
  insertVerification,
  insertVerificationMail,
  purgeVerifications,
  revokeVerifications,
  useVerification,
  type VerificationMailRow,
  type VerificationRow,
} from '../../../publication/store/access/verification-tokens.ts';
import {
  findNewsletter,
  updateNewsletter,
} from '../../../publication/store/members/newsletters.ts';
import type { Queryable, Transaction } from '../../../publication/store/store.ts';
import { hashSecret } from '../keys/keys.ts';
import type { NewslettersContext, WriteContext } from '../use-case-context.ts';

const TOKEN_BYTES = 32;
const HOUR_MS = 3_600_000;
const LIFE_MS = 24 * HOUR_MS;
const KEPT_MS = 30 * LIFE_MS;

type MailWish = {
  readonly address: string;
  /** The admin key that asks. */
  readonly keyId: string;
  /** Throws what would keep the save from being stored; runs before the mail is sent. */
  readonly check: (tx: Transaction) => Promise<unknown>;
};

/**
 * Mails a link to the address and returns its token, which opens nothing until `openVerification` stores it.
 * Throws what `check` throws, TOO_MANY_REQUESTS, and MAIL_FAILED when the mail was not taken; it counts for
 * nothing then.
 */
export const mailVerification = async (
  { store, mailer, clock, site, publicUrl }: NewslettersContext,
  { address, keyId, check }: MailWish,
): Promise<string> => {
  const now = clock.now();
  const mail = { id: createId(now), key_id: keyId, address, created_at: now };
  const { host } = new URL((await site()).siteUrl);
  await store.write(async (tx) => {
    await check(tx);
    await bookMail(tx, mail);
  });
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const text = [
    `Someone asked to make this address the sender address of a newsletter of ${host}.`,
    'If that was you, follow this link within 24 hours:',
    `${publicUrl()}/newsletters/verify/?token=${token}`,
    'If it was not you, ignore this mail: nothing changes.',
  ].join('\n\n');
  try {
    await mailer.send({ to: address, subject: 'Verify email address', text });
  } catch (error) {
    await store.write((tx) => deleteVerificationMail(tx, mail.id));
    throw error;
  }
  return token;
};

/** Mails under way count too, so that requests at the same time do not pass the limits together. */
const bookMail = async (
  tx: Transaction,
  mail: VerificationMailRow & { readonly key_id: string },
) => {
  const { address, key_id, created_at } = mail;
  const since = created_at - HOUR_MS;
  const hour = { since, until: created_at };
  if ((await countMailsTo(tx, address, hour)) >= MAILS_TO_ADDRESS_MAX) {
    throw tooMany(`At most ${MAILS_TO_ADDRESS_MAX} mails an hour are sent to one address`);
  }
  if ((await countMailsOf(tx, key_id, hour)) >= MAILS_OF_KEY_MAX) {
    throw tooMany(`At most ${MAILS_OF_KEY_MAX} mails an hour are sent for one key`);
  }
  await purgeVerifications(tx, { requestsBefore: created_at - KEPT_MS, mailsBefore: since });
  await insertVerificationMail(tx, mail);
};

const tooMany = (limit: string): PrepressError =>
  new PrepressError('TOO_MANY_REQUESTS', `${limit}: try again later.`, {
    property: 'sender_email',
  });

type Opening = {
  /** The newsletter. */
  readonly id: string;
  readonly address: string;
  readonly token: string;
  readonly nowMs: number;
};

/** Makes a mailed link good, in the transaction of its save; older requests of the newsletter end. */
export const openVerification = async (
  tx: Transaction,
  { id, address, token, nowMs }: Opening,
): Promise<void> => {
  await revokeVerifications(tx, id, nowMs);
  await insertVerification(tx, {
    token_sha256: hashSecret(token),
    newsletter_id: id,
    property: 'sender_email',
    value: address,
    created_at: nowMs,
    expires_at: nowMs + LIFE_MS,
    used_at: null,
    revoked_at: null,
  });
};

export type Verification =
  | { readonly outcome: 'verified'; readonly newsletterId: string }
  | { readonly outcome: 'already'; readonly newsletterId: string }
  /** The link was used, was replaced by a newer one, or is too old. */
  | { readonly outcome: 'ended' }
  | { readonly outcome: 'unknown' };

/** Makes the address that the token stands for effective. Nothing is written for a token that is not open. */
export const verifySender = async (
  { store, clock }: WriteContext,
  token: string,
): Promise<Verification> => {
  const nowMs = clock.now();
  const sha256 = hashSecret(token);
  const isOpen = isOpenRequest(await findVerification(store, sha256), nowMs);
  if (!isOpen) return whyNot(store, sha256);
  return store.write(
    async (tx): Promise<Verification> => {
      const used = await useVerification(tx, sha256, nowMs);
      if (used === undefined) return whyNot(tx, sha256);
      await updateNewsletter(tx, used.newsletter_id, {
        sender_email: used.value,
        updated_at: toStoredTime(nowMs),
      });
      return { outcome: 'verified', newsletterId: used.newsletter_id };
    },
    { action: createId(nowMs) },
  );
};

const isOpenRequest = (row: VerificationRow | undefined, nowMs: number): boolean =>
  row !== undefined && row.used_at === null && row.revoked_at === null && row.expires_at > nowMs;

const whyNot = async (from: Queryable, sha256: string): Promise<Verification> => {
  const row = await findVerification(from, sha256);
  if (row === undefined) return { outcome: 'unknown' };
  const newsletter = await findNewsletter(from, row.newsletter_id);
  const isEffective = row.used_at !== null && newsletter?.sender_email === row.value;
  if (!isEffective) return { outcome: 'ended' };
  return { outcome: 'already', newsletterId: row.newsletter_id };
};
