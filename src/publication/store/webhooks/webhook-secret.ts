// The secrets of webhooks (decisions, Admin: Webhooks). A `whsec_` secret is 24 to 64 bytes in base64, and
// the key of Standard Webhooks; any other text has a key made from it, its SHA-256.

import { createHash, randomBytes } from 'node:crypto';
import { SECRET_BYTES_MAX, SECRET_BYTES_MIN } from '../../../base/limits.ts';

const PREFIX = 'whsec_';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/** A new secret of 32 random bytes. */
export const createSecret = (): string => `${PREFIX}${randomBytes(32).toString('base64')}`;

/** The secret that a receiver gives to a Standard Webhooks library; shown once. */
export const standardSecret = (secret: string): string =>
  `${PREFIX}${standardKey(secret).toString('base64')}`;

/** Why the text cannot be a secret, or null: `whsec_` promises 24 to 64 bytes of base64. */
export const faultOfSecret = (secret: string): string | null => {
  if (!secret.startsWith(PREFIX)) return null;
  return decode(secret) === null
    ? `A secret that begins with ${PREFIX} must hold ${SECRET_BYTES_MIN} to ${SECRET_BYTES_MAX} bytes in base64.`
    : null;
};

export const standardKey = (secret: string): Buffer =>
  decode(secret) ?? createHash('sha256').update(secret).digest();

const decode = (secret: string): Buffer | null => {
  const text = secret.slice(PREFIX.length);
  if (!secret.startsWith(PREFIX) || !BASE64.test(text)) return null;
  const key = Buffer.from(text, 'base64');
  return key.length >= SECRET_BYTES_MIN && key.length <= SECRET_BYTES_MAX ? key : null;
};
