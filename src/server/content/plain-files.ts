// Plain files below a folder: images, styles, pages. Only files that really lie inside of it are sent: no
// dot names, no way up, no symbolic link that leads out.
import { realpath, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import type { FastifyReply } from 'fastify';

export type PlainFiles = {
  /** Path relative to the folder of the file at a raw (percent-encoded) path, or null. */
  readonly find: (rawPath: string) => Promise<string | null>;
  /** Sends a file that was found. Not a promise: awaiting a reply waits until it has been sent. */
  readonly send: (reply: FastifyReply, file: string) => FastifyReply;
};

const FILE_CACHE = 'public, max-age=0';
const SEND_OPTIONS = { dotfiles: 'deny', index: false, cacheControl: false } as const;

export const createPlainFiles = (folder: string): PlainFiles => {
  const find = async (rawPath: string): Promise<string | null> => {
    const names = decodeNames(rawPath);
    if (names === null) return null;
    const root = await realpathOrNull(folder);
    const path = root === null ? null : await realpathOrNull(join(root, ...names));
    if (root === null || path === null) return null;
    const inside = relative(root, path);
    const isInside = inside !== '' && inside.split(sep).every(isOpenName);
    return isInside && (await stat(path)).isFile() ? inside : null;
  };
  return {
    find,
    send: (reply, file) => {
      const encoded = file.split(sep).map(encodeURIComponent).join('/');
      reply.header('cache-control', FILE_CACHE);
      return reply.sendFile(encoded, resolve(folder), SEND_OPTIONS);
    },
  };
};

/** The names of a path, or null when one of them may not be asked for. */
const decodeNames = (rawPath: string): string[] | null => {
  try {
    const names = rawPath.split('/').map(decodeURIComponent);
    return names.every(isOpenName) ? names : null;
  } catch {
    return null;
  }
};

const isOpenName = (name: string): boolean =>
  name !== '' && !name.startsWith('.') && !/[/\\\0]/.test(name);

const realpathOrNull = async (path: string): Promise<string | null> => {
  try {
    return await realpath(path);
  } catch {
    return null;
  }
};
