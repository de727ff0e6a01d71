// Checks the header with which Ghost signs its webhooks: `sha256=HEX, t=MS`, over the body and the time (facts 8.5).
// The time is not compared with the clock: who sends a call once more has a look made once more.
import { createHmac, timingSafeEqual } from 'node:crypto';

const HEADER = /^sha256=([0-9a-f]{64}), ?t=(\d{1,16})$/;

export const isGhostSignature = (header: string, secret: string, body: Buffer): boolean => {
  const [, given = '', time = ''] = HEADER.exec(header) ?? [];
  if (given === '') return false;
  const right = createHmac('sha256', secret).update(body).update(time).digest();
  return timingSafeEqual(Buffer.from(given, 'hex'), right);
};
