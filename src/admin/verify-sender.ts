// The verification of an address that a newsletter is to be sent from (decisions, Admin): a token of 32
// random bytes is mailed to the address and kept as its SHA-256; it is good once, for a day, and until a
// newer request. What was mailed in the last hour bounds what anyone can make us send to an address.
import { randomBytes } from 'node:crypto';
import { PrepressError } from '../base/errors.ts';
import { createId } from '../base/ids.ts';
import { toStoredTime } from '../base/time.ts';
import { findNewsletter, updateNewsletter } from '../store/newsletters.ts';
import type { Writer } from '../store/store.ts';
import {
  countVerifications,
  findVerification,
  insertVerification,
  purgeVerifications,
  revokeVerifications,
  useVerification,
  withdrawVerification,
} from '../store/verification-tokens.ts';
import type { NewslettersContext, UseCaseContext } from './context.ts';
import { hashSecret } from './keys.ts';

const TOKEN_BYTES = 32;
const HOUR_MS = 3_600_000;
const LIFE_MS = 24 * HOUR_MS;
const KEPT_MS = 30 * LIFE_MS;
const MAILS_PER_HOUR_MAX = 5;

type Opening = {
  /** The newsletter. */
  readonly id: string;
  readonly address: string;
  readonly nowMs: number;
};

/** Answers the token; older requests of the newsletter end. Throws TOO_MANY_REQUESTS. */
export const openVerification = async (
  writer: Writer,
  { id, address, nowMs }: Opening,
): Promise<string> => {
  if ((await countVerifications(writer, address, nowMs - HOUR_MS)) >= MAILS_PER_HOUR_MAX) {
    throw new PrepressError(
      'TOO_MANY_REQUESTS',
      `At most ${MAILS_PER_HOUR_MAX} mails an hour are sent to one address: try again later.`,
      { property: 'sender_email' },
    );
  }
  await purgeVerifications(writer, nowMs - KEPT_MS);
  await revokeVerifications(writer, id, nowMs);
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  await insertVerification(writer, {
    token_sha256: hashSecret(token),
    newsletter_id: id,
    property: 'sender_email',
    value: address,
    created_at: nowMs,
    expires_at: nowMs + LIFE_MS,
    used_at: null,
    revoked_at: null,
  });
  return token;
};

type Letter = Opening & { readonly name: string; readonly token: string };

/**
 * Mails the link. A mail that is not taken counts for nothing: its request is withdrawn, with what `undo`
 * adds, in one transaction. Throws MAIL_FAILED.
 */
export const sendVerification = async (
  { store, mailer, publicUrl }: Pick<NewslettersContext, 'store' | 'mailer' | 'publicUrl'>,
  { id, name, address, token, nowMs }: Letter,
  undo: (writer: Writer) => Promise<void> = async () => {},
): Promise<void> => {
  const text = [
    `Someone asked for the newsletter "${name}" to be sent from this address.`,
    'If that was you, follow this link within 24 hours:',
    `${publicUrl()}/newsletters/verify/?token=${token}`,
    'If it was not, there is nothing to do: nothing changes.',
  ].join('\n\n');
  try {
    await mailer.send({ to: address, subject: 'Verify email address', text });
  } catch (error) {
    await store.write(async (writer) => {
      const request = { sha256: hashSecret(token), newsletterId: id, madeAt: nowMs };
      await withdrawVerification(writer, request);
      await undo(writer);
    });
    throw error;
  }
};

export type Verification =
  | { readonly outcome: 'verified'; readonly newsletterId: string }
  | { readonly outcome: 'already'; readonly newsletterId: string }
  /** The link was used, was replaced by a newer one, or is too old. */
  | { readonly outcome: 'ended' }
  | { readonly outcome: 'unknown' };

/** Makes the address that the token stands for effective. */
export const verifySender = (
  { store, clock }: Pick<UseCaseContext, 'store' | 'clock'>,
  token: string,
): Promise<Verification> => {
  const nowMs = clock.now();
  const sha256 = hashSecret(token);
  return store.write(
    async (writer): Promise<Verification> => {
      const used = await useVerification(writer, sha256, nowMs);
      if (used === undefined) return whyNot(writer, sha256);
      await updateNewsletter(writer, used.newsletter_id, {
        sender_email: used.value,
        updated_at: toStoredTime(nowMs),
      });
      return { outcome: 'verified', newsletterId: used.newsletter_id };
    },
    { action: createId(nowMs) },
  );
};

const whyNot = async (writer: Writer, sha256: string): Promise<Verification> => {
  const row = await findVerification(writer, sha256);
  if (row === undefined) return { outcome: 'unknown' };
  const newsletter = await findNewsletter(writer, row.newsletter_id);
  const isEffective = row.used_at !== null && newsletter?.sender_email === row.value;
  if (!isEffective) return { outcome: 'ended' };
  return { outcome: 'already', newsletterId: row.newsletter_id };
};
