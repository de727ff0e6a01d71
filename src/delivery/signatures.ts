// Signs a delivery in two ways: Standard Webhooks (v1, every live secret) and Ghost's own header (the
// newest secret). A `whsec_` secret is the key of the first and, as text, of the second; any other text
// signs Ghost's header as it is and Standard Webhooks with `whsec_` + base64 of its SHA-256.
import { createHash, createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const KEY_BYTES_MIN = 24;
const KEY_BYTES_MAX = 64;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

type Message = {
  /** Stays the same for every attempt. */
  readonly id: string;
  readonly body: string;
  /** The present in milliseconds. */
  readonly now: number;
};

/** The headers that carry the signatures; `secrets` are the live ones, the newest first. */
export const signatureHeaders = (
  { id, body, now }: Message,
  secrets: readonly string[],
): Record<string, string> => {
  const seconds = Math.floor(now / 1000);
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', standardKey(secret)).update(`${id}.${seconds}.${body}`);
    return `v1,${hmac.digest('base64')}`;
  });
  const ghost = createHmac('sha256', secrets[0] ?? '')
    .update(`${body}${now}`)
    .digest('hex');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
    'x-ghost-signature': `sha256=${ghost}, t=${now}`,
  };
};

/** A new secret of 32 random bytes. */
export const createSecret = (): string => `${PREFIX}${randomBytes(32).toString('base64')}`;

/** The secret that a receiver gives to a Standard Webhooks library; shown once. */
export const standardSecret = (secret: string): string =>
  `${PREFIX}${standardKey(secret).toString('base64')}`;

/** Why the text cannot be a secret, or null: `whsec_` promises 24 to 64 bytes of base64. */
export const faultOfSecret = (secret: string): string | null => {
  if (!secret.startsWith(PREFIX)) return null;
  return decode(secret) === null
    ? `A secret that begins with ${PREFIX} must hold ${KEY_BYTES_MIN} to ${KEY_BYTES_MAX} bytes in base64.`
    : null;
};

const standardKey = (secret: string): Buffer =>
  decode(secret) ?? createHash('sha256').update(secret).digest();

const decode = (secret: string): Buffer | null => {
  const text = secret.slice(PREFIX.length);
  if (!secret.startsWith(PREFIX) || !BASE64.test(text)) return null;
  const key = Buffer.from(text, 'base64');
  return key.length >= KEY_BYTES_MIN && key.length <= KEY_BYTES_MAX ? key : null;
};
