// Secrets of webhooks as clients give them and as they are shown, once (decisions, Admin: Webhooks). A
// `whsec_` secret signs both headers; any other text signs the Ghost header, and the Standard Webhooks
// header is signed with a secret made from it.
import { createHash, randomBytes } from 'node:crypto';
import { PrepressError } from '../base/errors.ts';

const PREFIX = 'whsec_';
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const BYTES_MIN = 24;
const BYTES_MAX = 64;

export const newWebhookSecret = (): string => `${PREFIX}${randomBytes(32).toString('base64')}`;

/** Throws VALIDATION for a `whsec_` text that does not hold 24 to 64 bytes. */
export const checkWebhookSecret = (secret: string): void => {
  if (!secret.startsWith(PREFIX)) return;
  const text = secret.slice(PREFIX.length);
  const bytes = BASE64.test(text) ? Buffer.from(text, 'base64').length : 0;
  if (bytes < BYTES_MIN || bytes > BYTES_MAX) {
    throw new PrepressError(
      'VALIDATION',
      `A secret that begins with ${PREFIX} must hold ${BYTES_MIN} to ${BYTES_MAX} bytes as base64.`,
      { property: 'secret' },
    );
  }
};

/** The secret that checks the Standard Webhooks signature. */
export const standardSecret = (secret: string): string =>
  secret.startsWith(PREFIX)
    ? secret
    : `${PREFIX}${createHash('sha256').update(secret).digest('base64')}`;
