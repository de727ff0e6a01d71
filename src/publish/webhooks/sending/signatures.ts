// Signs a delivery in two ways: Standard Webhooks (v1, every live secret) and Ghost's own header (the
// newest secret, as text).
import { createHmac } from 'node:crypto';
import { standardKey } from '../../../publication/store/webhooks/webhook-secret.ts';

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
