// Pictures and other files that a bucket keeps for all servers (setting `media`). The bucket has each under the SHA-256 of
// its bytes, before a row names it; the media folder of a machine is a copy, and has a file before a document names it.
// No bytes are lost: a file that is replaced by another one of its name is in the bucket, or gets another name.
import { renameSync, statSync } from 'node:fs';
import { basename, dirname, join, parse } from 'node:path';
import { closing } from '../../base/closing.ts';
import { PrepressError } from '../../base/errors.ts';
import { withDiskErrors } from '../../base/files/disk-error.ts';
import { readHash } from '../../base/files/file-hash.ts';
import { makeScratchFolder, removeScratchFolder } from '../../base/files/scratch-folder.ts';
import { findStat } from '../../base/files/stat-key.ts';
import { FILE_NAME_BYTES_MAX } from '../../base/limits.ts';
import { loadOptional } from '../../base/optional-packages.ts';
import { mapConcurrently } from '../../base/threads/map-concurrently.ts';
import { IMAGE_FOLDERS } from '../../content/paths/files.ts';
import {
  findMediaFolders,
  listMedia,
  makeMediaFolder,
  type Skipped,
} from '../../publication/media/media-folder.ts';
import type { MediaIndex } from '../../publication/media/media-index.ts';
import { openMediaIndex } from '../../publication/media/sqlite-media-index.ts';
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
   * The same for what the media folder has and no row names or named: at first, and when `isChanged`. Answers what is left
   * out, and why; where the bucket cannot be reached it tries again.
   */
  readonly addRest: (isChanged: boolean) => Promise<Skipped[]>;
  /**
   * Fetches what rows name and the media folder lacks; `isFull`: looks at all rows again. A sentence for each that the
   * bucket does not have, and each file of other bytes that was here. Throws MEDIA_UNREACHABLE, OUTPUT_UNWRITABLE.
   */
  readonly fetch: (isFull?: boolean) => Promise<string[]>;
  readonly close: () => void;
};

type Input = {
  readonly media: Config['media'];
  readonly paths: Pick<DataPaths, 'media' | 'mediaIndex' | 'contentFolder'>;
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
  const ask: Ask = async (work) => {
    opened ??= openBucket(media);
    return work(await opened).catch((error: unknown) => {
      throw asMediaError(error);
    });
  };
  const bucket = { paths, store, ask };
  return {
    add: (from, path, isReplacing) => addAll(bucket, [{ from, path }], isReplacing),
    addRest: async (isChanged) => {
      if (isWhole && (!isChanged || store.isReader)) return [];
      isWhole = false;
      try {
        await ask((store) => store.check());
        const left = await addUnknown(bucket);
        isWhole = true;
        return left;
      } catch (error) {
        if (!(error instanceof PrepressError)) throw error;
        const why = error.message.replace(/\.$/, '');
        return [{ path: media.target, reason: `takes no pictures and files: ${why}` }];
      }
    },
    fetch: async (isFull = false) => {
      const from = last;
      const rows = await listMediaFiles(store, from?.number);
      const isHeld = rows[0]?.path === from?.path && rows[0]?.sha256 === from?.sha256;
      const isRest = !isFull && from !== null && isHeld;
      const files = isRest ? rows.slice(1) : await listMediaFiles(store);
      if (files.length === 0) return [];
      const said = await fetchAll(bucket, files, { isFirst: from === null });
      last = files.at(-1) ?? null;
      return said.map(({ path, reason }) => `The picture ${path} ${reason}.`);
    },
    close: () => void opened?.then((target) => target.close()).catch(() => undefined),
  };
};

type Ask = <T>(work: (bucket: S3Target) => Promise<T>) => Promise<T>;

type Bucket = Pick<Input, 'paths' | 'store'> & { readonly ask: Ask };

const addAll = async (
  { store, ask }: Bucket,
  files: readonly Given[],
  replaces = false,
): Promise<boolean> => {
  const rows = await mapConcurrently(files, async ({ from, path }) => {
    const [sha256, bytes] = [await readHash(from), statSync(from).size];
    await ask((bucket) => bucket.putFile({ path: sha256, from, size: bytes }));
    return { path, sha256, bytes, replaces };
  });
  return store.write(async (tx) => {
    const saved: boolean[] = [];
    for (const row of rows) saved.push(await saveMediaFile(tx, row));
    return saved.every(Boolean);
  });
};

/** A file whose row was removed is left out; but where there is no row at all, this is another publication. */
const addUnknown = async (bucket: Bucket): Promise<Skipped[]> => {
  const { paths, store } = bucket;
  const rows = await listMediaFiles(store);
  const known = new Set(rows.map(({ path }) => path));
  const earlier = withIndex(bucket, (index) => index.shared());
  const unknown: Given[] = [];
  const removed = new Set<string>();
  for (const folder of findMediaFolders(paths.media).folders) {
    for await (const entry of listMedia(paths.media, folder)) {
      if ('reason' in entry || known.has(entry.path)) continue;
      const { path } = entry;
      const from = join(paths.media, path);
      const was = rows.length === 0 ? undefined : earlier.get(path);
      if (was !== undefined && was === (await readHash(from))) removed.add(path);
      else unknown.push({ from, path });
    }
  }
  withIndex(bucket, (index) => {
    index.dropShared([...earlier.keys()].filter((path) => !removed.has(path)));
    index.putShared(rows);
  });
  for (let at = 0; at < unknown.length; at += ADDED_AT_ONCE)
    await addAll(bucket, unknown.slice(at, at + ADDED_AT_ONCE));
  return [...removed].map((path) => ({ path, reason: REMOVED }));
};

const REMOVED =
  'has no row in the table media any more, so other servers lack it: remove the file, or upload it again';

const withIndex = <T>({ paths }: Bucket, work: (index: MediaIndex) => T): T =>
  closing(openMediaIndex(paths.mediaIndex), work);

type Fetching = { readonly isFirst: boolean };

const fetchAll = async (
  bucket: Bucket,
  files: readonly MediaFile[],
  { isFirst }: Fetching,
): Promise<Skipped[]> => {
  const { media } = bucket.paths;
  let folder: string | null = null;
  // Only once a file is lacking: a media folder that has them all may be read-only.
  const placeOf = ({ number }: MediaFile): string => {
    folder ??= makeFetchFolder(media);
    return join(folder, `${number}`);
  };
  try {
    const said = await mapConcurrently(
      files,
      (file) => fetchOne(bucket, file, { isFirst, placeOf }),
      FETCHED_AT_ONCE,
    );
    withIndex(bucket, (index) => index.putShared(files));
    return said.flat();
  } finally {
    if (folder !== null) removeScratchFolder(folder);
  }
};

/** On the disk of the media folder, which has room for what it is to hold. */
const makeFetchFolder = (media: string): string =>
  withDiskErrors({ code: 'OUTPUT_UNWRITABLE', place: media }, () => {
    makeMediaFolder(media);
    return makeScratchFolder('media', media);
  });

/** At first a file of that size is taken for it. */
const fetchOne = async (
  { paths, ask }: Bucket,
  file: MediaFile,
  { isFirst, placeOf }: Fetching & { readonly placeOf: (file: MediaFile) => string },
): Promise<Skipped[]> => {
  const { path, sha256, bytes } = file;
  if (!isMediaPath(path)) return [{ path, reason: 'is no path of a picture or file' }];
  const kept = join(paths.media, path);
  const found = findStat(kept);
  const isThere = found?.isFile() === true && found.size === bytes;
  if (isThere && (isFirst || (await readHash(kept)) === sha256)) return [];
  const to = placeOf(file);
  if (!(await ask((bucket) => bucket.fetch(sha256, to))) || (await readHash(to)) !== sha256)
    return [{ path, reason: 'is not in the bucket as it was put there' }];
  const own = found?.isFile() === true ? await keepApart({ paths, ask }, path) : null;
  await storeFile(paths, { from: to, path });
  return own === null
    ? []
    : [{ path, reason: `was another file on this machine, which is kept as ${own}` }];
};

/** The path that a file has by now which the bucket lacks; null where the bucket has it. */
const keepApart = async (
  { paths, ask }: Pick<Bucket, 'paths' | 'ask'>,
  path: string,
): Promise<string | null> => {
  const sha256 = await readHash(join(paths.media, path));
  // Without the right to list, a store does not say whether it has one.
  if (await ask((bucket) => bucket.has(sha256)).catch(() => false)) return null;
  const own = `${dirname(path)}/${ownName(basename(path), sha256)}`;
  withDiskErrors({ code: 'OUTPUT_UNWRITABLE', place: path }, () =>
    renameSync(join(paths.media, path), join(paths.media, own)),
  );
  return own;
};

/** An ending that is longer tells no type. */
const ENDING_BYTES_MAX = 32;

/** The name with the beginning of its hash; what a disk has no room for is cut off before that, by whole characters. */
const ownName = (given: string, sha256: string): string => {
  const { name, ext } = parse(given);
  const isEnding = Buffer.byteLength(ext) <= ENDING_BYTES_MAX;
  const end = `-${sha256.slice(0, 8)}${isEnding ? ext : ''}`;
  const stem = [...(isEnding ? name : given)];
  while (Buffer.byteLength(`${stem.join('')}${end}`) > FILE_NAME_BYTES_MAX) stem.pop();
  return `${stem.join('')}${end}`;
};

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
    ? new PrepressError('MEDIA_UNREACHABLE', cause.message.replace(/ --(\w+)/g, ' "$1"'), { cause })
    : cause;
