// Plain files below a folder: images, styles, feeds. Only files that really lie inside of it are sent: no
// dot names, no settings of hosts, no way up, no symbolic link that leads out. Where one is a document, it runs nothing.
import { realpath, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import type { FastifyReply } from 'fastify';
import { formsOf } from '../../../base/text/unicode-forms.ts';
import { DOCUMENT_CACHE, isMedia, MEDIA_POLICY, treeType } from '../../../content/paths/headers.ts';
import { SETTINGS_NAMES } from '../../../content/paths/settings-names.ts';
import { sendStatic } from './send-static.ts';

export type PlainFiles = {
  /** Path relative to the folder of the file at a canonical (percent-encoded) path, or null. */
  readonly find: (canonicalPath: string) => Promise<string | null>;
  /** Sends a file that was found. Not a promise: awaiting a reply waits until it has been sent. */
  readonly send: (reply: FastifyReply, file: string) => FastifyReply;
};

export const createPlainFiles = (folder: string): PlainFiles => {
  const findExactly = async (root: string, name: string): Promise<string | null> => {
    const path = await realpathOrNull(join(root, name));
    if (path === null) return null;
    const inside = relative(root, path);
    const isInside = inside !== '' && inside.split(sep).every(isOpenName);
    return isInside && !SETTINGS_NAMES.includes(inside) && (await stat(path)).isFile()
      ? inside
      : null;
  };
  const find = async (canonicalPath: string): Promise<string | null> => {
    const name = decodeName(canonicalPath);
    const root = name === null ? null : await realpathOrNull(folder);
    if (name === null || root === null) return null;
    for (const form of formsOf(name)) {
      const file = await findExactly(root, form);
      if (file !== null) return file;
    }
    return null;
  };
  return {
    find,
    send: (reply, file) => {
      reply.header('cache-control', DOCUMENT_CACHE);
      const name = file.split(sep).join('/');
      if (isMedia(name) || treeType(name) === null) reply.header(...MEDIA_POLICY);
      // It encodes the name by itself.
      return sendStatic(reply, name, {
        root: resolve(folder),
        cacheControl: false,
      });
    },
  };
};

/** A path as the disk has it, or null when one of its names may not be asked for. */
const decodeName = (canonicalPath: string): string | null => {
  const names = canonicalPath.split('/').map(decodeURIComponent);
  return names.every(isOpenName) ? names.join('/') : null;
};

const isOpenName = (name: string): boolean =>
  name !== '' && !name.startsWith('.') && ![...'/\0', sep].some((part) => name.includes(part));

const realpathOrNull = async (path: string): Promise<string | null> => {
  try {
    return await realpath(path);
  } catch {
    return null;
  }
};
