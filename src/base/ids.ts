// Record ids: 24 lower-case hex characters, the first eight of them the seconds since 1970, so that
// ids sort by the time of their making.
import { createHash, randomBytes } from 'node:crypto';

const ID_PATTERN = /^[0-9a-f]{24}$/;

export const createId = (nowMs: number = Date.now()): string => {
  const seconds = Math.floor(nowMs / 1000) >>> 0;
  return seconds.toString(16).padStart(8, '0') + randomBytes(8).toString('hex');
};

export const isId = (text: string): boolean => ID_PATTERN.test(text);

/** For messages: what is as long as a key or a secret may be one, and is not repeated. */
export const namedId = (text: string): string =>
  isId(text) || text.length < SECRET_LENGTH_MIN ? `the id ${text}` : 'that id';

const SECRET_LENGTH_MIN = 16;

/** An id for what has none of its own: the same for the same parts. */
export const deriveId = (...parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 24);
