// Pictures and other files that a bucket keeps for all servers (setting `media`). The bucket has each under the SHA-256 of
// its bytes, before a row names it; the media folder of a machine is a copy, and has a file before a document names it.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PrepressError } from '../../base/errors.ts';
import { findHash } from '../../base/files/file-hash.ts';
import { findStat } from '../../base/files/file-stamp.ts';
import { makeScratchFolder, removeScratchFolder } from '../../base/files/scratch-folder.ts';
import { loadOptional } from '../../base/optional-packages.ts';
import { mapConcurrently } from '../../base/threads/map-concurrently.ts';
import { IMAGE_FOLDERS } from '../../content/paths/files.ts';
import { findMediaFolders, listMedia, type Skipped } from '../../publication/media/media-folder.ts';
import { storeFile } from '../../publication/media/store-file.ts';
import {
  listMediaFiles,
  type MediaFile,
  saveMediaFile,
} from '../../publication/store/content/media-files.ts';
import type { Store } from '../../publication/store/store.ts';
import type { DataPaths } from '../../settings/data-paths.ts';
import { findDeployPlace } from '../../settings/deploy-targets.ts';
import type { Config } from '../../settings/settings.ts';
import type { S3Target } from '../deploy/s3/target.ts';

export type MediaBucket = {
  /** Puts a file there and notes it; false when another one has that path. Throws MEDIA_UNREACHABLE. */
  readonly add: (from: string, path: string, isReplacing?: boolean) => Promise<boolean>;
  /**
   * The same for what the media folder has and no row names: at first, and when `isChanged`. Answers why it cannot; then it
   * tries again.
   */
  readonly addRest: (isChanged: boolean) => Promise<Skipped[]>;
  /**
   * Fetches what rows name and the media folder lacks; `isFull`: looks at all rows again. A sentence for each that the
   * bucket does not have. Throws MEDIA_UNREACHABLE.
   */
  readonly fetch: (isFull?: boolean) => Promise<string[]>;
  readonly close: () => void;
};

type Input = {
  readonly media: Config['media'];
  readonly paths: Pick<DataPaths, 'media' | 'contentFolder'>;
  readonly store: Store;
};

type Given = { readonly from: string; readonly path: string };

const FETCHED_AT_ONCE = 8;
/** In one save. */
const ADDED_AT_ONCE = 200;

/** Null where the folder alone keeps them. */
export const createMediaBucket = ({ media, paths, store }: Input): MediaBucket | null => {
  if (media === undefined || typeof media === 'string') return null;
  let opened: Promise<S3Target> | null = null;
  /** The newest row that was looked at: where it is another one now, all are looked at. */
  let last: MediaFile | null = null;
  let isWhole = store.isReader;
  const ask = async <T>(work: (bucket: S3Target) => Promise<T>): Promise<T> => {
    opened ??= openBucket(media);
    return work(await opened).catch((error: unknown) => {
      throw asMediaError(error);
    });
  };
  const addAll = async (files: readonly Given[], replaces = false): Promise<boolean> => {
    const rows = files.map(({ from, path }) => {
      const sha256 = findHash(from)?.toString('hex') ?? '';
      return { from, row: { path, sha256, bytes: statSync(from).size, replaces } };
    });
    const objects = rows.map(({ from, row: { sha256, bytes } }) => ({
      path: sha256,
      size: bytes,
      read: () => readFileSync(from),
    }));
    await ask((bucket) => bucket.put(objects));
    return store.write(async (tx) => {
      const saved: boolean[] = [];
      for (const { row } of rows) saved.push(await saveMediaFile(tx, row));
      return saved.every(Boolean);
    });
  };
  /** At first a file of that size is taken for it. */
  const fetchOne = async (
    folder: string,
    file: MediaFile,
    isFirst: boolean,
  ): Promise<Skipped[]> => {
    const { path, sha256, bytes } = file;
    if (!isMediaPath(path)) return [{ path, reason: 'is no path of a picture or file' }];
    const kept = join(paths.media, path);
    const isKept = findStat(kept)?.size === bytes;
    if (isKept && (isFirst || isOf(kept, sha256))) return [];
    const from = join(folder, `${file.number}`);
    const isThere = await ask((bucket) => bucket.fetch(sha256, from));
    if (!isThere || !isOf(from, sha256))
      return [{ path, reason: 'is not in the bucket as it was put there' }];
    await storeFile(paths, { from, path });
    return [];
  };
  const addUnknown = async (): Promise<void> => {
    const known = new Set((await listMediaFiles(store)).map(({ path }) => path));
    const unknown: Given[] = [];
    for (const folder of findMediaFolders(paths.media).folders)
      for await (const entry of listMedia(paths.media, folder))
        if (!('reason' in entry || known.has(entry.path)))
          unknown.push({ from: join(paths.media, entry.path), path: entry.path });
    for (let at = 0; at < unknown.length; at += ADDED_AT_ONCE)
      await addAll(unknown.slice(at, at + ADDED_AT_ONCE));
  };
  return {
    add: (from, path, isReplacing) => addAll([{ from, path }], isReplacing),
    addRest: async (isChanged) => {
      if (isWhole && (!isChanged || store.isReader)) return [];
      isWhole = false;
      try {
        await addUnknown();
        isWhole = true;
        return [];
      } catch (error) {
        if (!(error instanceof PrepressError)) throw error;
        return [{ path: media.target, reason: `lacks what is in it: ${error.message}` }];
      }
    },
    fetch: async (isFull = false) => {
      const from = last;
      const rows = await listMediaFiles(store, from?.number);
      const isHeld = rows[0]?.path === from?.path && rows[0]?.sha256 === from?.sha256;
      const isRest = !isFull && from !== null && isHeld;
      const files = isRest ? rows.slice(1) : await listMediaFiles(store);
      if (files.length === 0) return [];
      const folder = makeScratchFolder('media');
      try {
        const fetchNext = (file: MediaFile) => fetchOne(folder, file, from === null);
        const skipped = await mapConcurrently(files, fetchNext, FETCHED_AT_ONCE);
        last = files.at(-1) ?? null;
        return skipped.flat().map(({ path, reason }) => `The picture ${path} ${reason}.`);
      } finally {
        removeScratchFolder(folder);
      }
    },
    close: () => void opened?.then((bucket) => bucket.close()).catch(() => undefined),
  };
};

const isOf = (path: string, sha256: string): boolean => findHash(path)?.toString('hex') === sha256;

/** Rows may be anybody's. */
const isMediaPath = (path: string): boolean =>
  IMAGE_FOLDERS.some((folder) => path.startsWith(`${folder}/`)) &&
  path.split('/').every((part) => /^[^.\\\0][^\\\0]*$/.test(part));

const openBucket = async (setting: Exclude<Input['media'], string | undefined>) => {
  const place = findDeployPlace(setting.target);
  if (place?.kind !== 's3') throw new PrepressError('CONFIG_INVALID', 'Setting media: no bucket.');
  const load = () => import('../deploy/s3/target.ts');
  const { createS3Target } = await loadOptional('@aws-sdk/client-s3', 'Media in s3://', load);
  const { endpoint, region } = setting;
  return createS3Target({
    ...{ bucket: place.bucket, prefix: place.prefix },
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
  });
};

/** Its advice names options of `deploy`, which are parts of the setting here. */
const asMediaError = (cause: unknown): unknown =>
  cause instanceof PrepressError && cause.code === 'DEPLOY_FAILED'
    ? new PrepressError('MEDIA_UNREACHABLE', cause.message.replaceAll(' --', ' '), { cause })
    : cause;
