// Checks what was placed from the media folder: each of its files stands in the output with the same bytes, and
// nothing does that left the media folder.
import { dirname, join, relative } from 'node:path';
import { OwnFolders } from '../../../base/files/own-folders.ts';
import { hasSameBytes } from '../../../base/files/same-bytes.ts';
import { findStat } from '../../../base/files/stat-key.ts';
import {
  emptyReason,
  findMediaFolders,
  holdsFile,
  isSameFile,
  listMedia,
  type MediaEntry,
} from '../../../publication/media/media-folder.ts';
import type { MediaIndex } from '../../../publication/media/media-index.ts';
import type { Finding } from '../../manifest/finding.ts';

type VerifyMediaInput = {
  readonly media: string;
  readonly contentFolder: string;
  readonly index: Pick<MediaIndex, 'folders' | 'files'>;
};

/** Paths are relative to the content folder. */
export const verifyMedia = async (input: VerifyMediaInput): Promise<Finding[]> => {
  const { folders, skipped } = findMediaFolders(input.media);
  const findings = skipped.map(({ path, reason }) => ({ path, reason: left(reason) }));
  const kept = new Set(skipped.map(({ path }) => path.normalize()));
  const own = new OwnFolders(input.contentFolder);
  const taken = new Set<string>();
  for (const folder of folders) {
    for await (const entry of listMedia(input.media, folder)) {
      kept.add(entry.path.normalize());
      const link = own.findTaken(dirname(join(input.contentFolder, entry.path)));
      if (link !== null) {
        taken.add(relative(input.contentFolder, link));
        continue;
      }
      const reason = await faultOf(input, entry);
      if (reason !== null) findings.push({ path: entry.path, reason });
    }
  }
  for (const path of taken) findings.push({ path, reason: TAKEN });
  const extra = findExtra(input, kept);
  if (extra.length === 0 || (await holdsFile(input.media))) return [...findings, ...extra];
  const reason = `the media folder ${input.media} ${emptyReason(input.media, extra.length)}`;
  return [...findings, { path: '', reason }];
};

const TAKEN =
  'a link, or something else that is not a folder, stands here; the next build puts the folder in its place';

const left = (reason: string): string => `in the media folder, this ${reason}`;

const faultOf = async (
  { media, contentFolder }: VerifyMediaInput,
  entry: MediaEntry,
): Promise<string | null> => {
  if ('reason' in entry) return left(entry.reason);
  const target = join(contentFolder, entry.path);
  const stat = findStat(target);
  if (stat === undefined) return 'the file is missing; the media folder has it';
  if (!stat.isFile())
    return 'something that is not a file stands there; the media folder has the file';
  const isSame =
    stat.size === entry.stats.size && (await hasSameBytes(join(media, entry.path), target));
  return isSame ? null : 'the file has other bytes than the one in the media folder';
};

/** Files that were placed, stand as they were placed, and that the media folder has no more. */
const findExtra = (
  { contentFolder, index }: VerifyMediaInput,
  kept: ReadonlySet<string>,
): Finding[] =>
  [...index.folders().keys()].flatMap((folder) =>
    index.files(folder).flatMap((file) => {
      const path = `${folder}/${file.name}`;
      const stat = isKept(path, kept) ? undefined : findStat(join(contentFolder, path));
      return stat?.isFile() === true && isSameFile(stat, file)
        ? [{ path, reason: 'the media folder has this file no more' }]
        : [];
    }),
  );

/** Also in another normal form, and below a link in the media folder. */
const isKept = (path: string, kept: ReadonlySet<string>): boolean =>
  kept.has(path.normalize()) ||
  (path.includes('/') && isKept(path.slice(0, path.lastIndexOf('/')), kept));
