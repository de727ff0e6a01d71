// Copies folders of pictures, media and files: into the media folder, and from there into a backup. A file that is
// there with the same size and time is left alone, so a file gets its name only when its bytes are durable.
import type { Stats } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import type { Durability } from '../../base/files/durability.ts';
import { findStat } from '../../base/files/stat-key.ts';
import { type CopiedFiles, openCopiedFiles } from './copied-files.ts';
import {
  isSameFile,
  listMedia,
  MEDIA_FOLDER_MODE,
  makeMediaFolder,
  type Skipped,
  unreadable,
} from './media-folder.ts';

export type CopyReport = {
  readonly copied: number;
  readonly unchanged: number;
  readonly skipped: readonly Skipped[];
};

export type CopyMediaInput = {
  /** Folder that the paths of the report are relative to. */
  readonly root: string;
  /** Folder that the copies go to; it is made when it is absent. */
  readonly to: string;
  /** Folders below `root`, and their names below `to`. */
  readonly folders: readonly { readonly from: string; readonly name: string }[];
  /** A folder of earlier copies that nobody writes into: those with the same size and time are linked. */
  readonly earlier?: string | null;
  readonly durability?: Durability;
  /** Told of each file that was looked at. */
  readonly onFile?: (counts: Pick<CopyReport, 'copied' | 'unchanged'>) => void;
};

/** The caller sees to it that nobody else copies into `to`. Throws OUTPUT_UNWRITABLE. */
export const copyMedia = async (input: CopyMediaInput): Promise<CopyReport> => {
  const { to, folders, durability } = input;
  const counts = { copied: 0, unchanged: 0, skipped: [] as Skipped[] };
  makeMediaFolder(to);
  for (const { from, name } of folders) {
    const files = await openCopiedFiles(join(to, name), {
      folderMode: MEDIA_FOLDER_MODE,
      ...(durability && { durability }),
    });
    try {
      for await (const entry of listMedia(input.root, from)) {
        if ('reason' in entry) counts.skipped.push(entry);
        else await copyOne({ input, files, counts }, entry, targetOf(entry.path, { from, name }));
        input.onFile?.(counts);
      }
      await files.finish();
    } finally {
      await files.close();
    }
  }
  return counts;
};

type Run = {
  readonly input: CopyMediaInput;
  readonly files: CopiedFiles;
  readonly counts: { copied: number; unchanged: number; readonly skipped: Skipped[] };
};

const targetOf = (path: string, { from, name }: CopyMediaInput['folders'][number]): string =>
  `${name}/${from === '' ? path : path.slice(from.length + 1)}`;

const copyOne = async (
  { input, files, counts }: Run,
  { path, stats }: { readonly path: string; readonly stats: Stats },
  target: string,
): Promise<void> => {
  const { root, to, earlier } = input;
  const found = findStat(join(to, target));
  if (found?.isFile() && isSameFile(found, stats)) {
    counts.unchanged += 1;
    return;
  }
  const reason = found?.isDirectory() ? TAKEN : await findReadFault(join(root, path));
  if (reason !== null) {
    counts.skipped.push({ path, reason });
    return;
  }
  await files.add(join(root, path), join(to, target), {
    stats,
    alias: findAlias(earlier, target, stats),
  });
  counts.copied += 1;
};

/** Said of a file whose place another folder has. */
export const TAKEN = 'cannot be placed: a folder of that name stands there';

export const findReadFault = async (path: string): Promise<string | null> => {
  try {
    await access(path, constants.R_OK);
    return null;
  } catch (error) {
    return unreadable(error);
  }
};

const findAlias = (
  earlier: string | null | undefined,
  target: string,
  stats: Stats,
): string | undefined => {
  if (earlier === null || earlier === undefined) return undefined;
  const path = join(earlier, target);
  const found = findStat(path);
  return found?.isFile() && isSameFile(found, stats) ? path : undefined;
};
