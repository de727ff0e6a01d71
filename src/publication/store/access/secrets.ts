// Seals secrets that must be recoverable (API and webhook secrets) with AES-256-GCM under a key file that
// lies beside the database, readable by its owner only. A sealed value without the file is lost: backups
// need both, and a new key is made only where nothing was sealed yet.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../../../base/error-code.ts';
import { PrepressError } from '../../../base/errors.ts';
import { AS_OWNER } from '../../../base/files/as-owner.ts';
import { tryLink } from '../../../base/files/hard-links.ts';
import { makeFolder } from '../../../base/files/make-folder.ts';
import { makePrivateFile } from '../../../base/files/private-files.ts';
import { readError } from '../../../base/files/read-fault.ts';

export type SecretBox = {
  readonly seal: (text: string) => Buffer;
  /** Throws SECRET_KEY_UNUSABLE when the value was sealed under another key. */
  readonly open: (sealed: Uint8Array) => string;
  /** A key of 32 bytes for one purpose, the same as long as the key file is. */
  readonly derive: (purpose: string) => Buffer;
};

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_PATTERN = /^[0-9a-f]{64}\s*$/;

type SecretBoxOptions = {
  /** Secrets were sealed already: the key file that is absent is not made. */
  readonly mustExist?: boolean;
  /** False: nothing is sealed or opened here, and no file is made. */
  readonly isKept?: boolean;
};

/** Reads or makes the key file; throws SECRET_KEY_UNUSABLE when it holds no key, or must exist and does not. */
export const openSecretBox = (path: string, options: SecretBoxOptions = {}): SecretBox => {
  const { mustExist = false, isKept = true } = options;
  const make = isKept ? () => createKey(path) : () => randomBytes(32);
  const key = readKey(path) ?? (mustExist ? null : make());
  if (key === null) {
    throw keyFault(
      `There is no key file at ${path}, and secrets of this database are sealed with it.`,
    );
  }
  return {
    seal: (text) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.from([VERSION]), nonce, cipher.getAuthTag(), body]);
    },
    open: (sealed) => {
      try {
        const bytes = Buffer.from(sealed);
        if (bytes[0] !== VERSION) throw new Error('unknown version');
        const nonce = bytes.subarray(1, 1 + NONCE_BYTES);
        const tag = bytes.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES);
        const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAuthTag(tag);
        const body = bytes.subarray(1 + NONCE_BYTES + TAG_BYTES);
        return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
      } catch (cause) {
        const sentence = `The key in ${path} is not the one that the secrets of this database were sealed with.`;
        throw keyFault(sentence, cause);
      }
    },
    derive: (purpose) => Buffer.from(hkdfSync('sha256', key, '', purpose, 32)),
  };
};

/** What was sealed can be read only with the file that sealed it. */
const keyFault = (sentence: string, cause?: unknown): PrepressError =>
  new PrepressError('SECRET_KEY_UNUSABLE', sentence, { cause });

const readKey = (path: string): Buffer | null => {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return null;
    throw readError(path, cause, { code: 'SECRET_KEY_UNUSABLE', closed: AS_OWNER });
  }
  if (KEY_PATTERN.test(text)) return Buffer.from(text.trim(), 'hex');
  throw keyFault(`The file ${path} holds no key of 32 bytes in hex.`);
};

/**
 * The file appears whole or not at all; of two programs that make it at once, one wins. Where there are no hard links,
 * both do if they come within microseconds of each other.
 */
const createKey = (path: string): Buffer => {
  makeFolder(dirname(path), { isPrivate: true });
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  const text = `${randomBytes(32).toString('hex')}\n`;
  makePrivateFile(draft);
  writeFileSync(draft, text, { flush: true });
  try {
    if (!tryLink(draft, path) && !existsSync(path)) renameSync(draft, path);
  } catch (cause) {
    if (codeOf(cause) !== 'EEXIST') throw cause;
  } finally {
    rmSync(draft, { force: true });
  }
  const key = readKey(path);
  if (key === null) throw keyFault(`There is no key file at ${path}.`);
  return key;
};
