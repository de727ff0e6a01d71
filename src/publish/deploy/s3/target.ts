// A bucket of any S3-compatible store. What stands there is told by its listing: an object is the same
// when its ETag is the MD5 of the bytes, which holds for plain puts; a store that tags otherwise gets the
// object again. Nothing is kept between runs, so a run that broke off is taken up by the next.
import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { closing } from '../../../base/closing.ts';
import { PrepressError } from '../../../base/errors.ts';
import { asDiskError, withDiskErrors } from '../../../base/files/disk-error.ts';
import { mapConcurrently } from '../../../base/threads/map-concurrently.ts';
import { presetVariable } from '../../../settings/preset.ts';
import type { DeployTarget, LocalFile, StandingFile } from '../target.ts';
import { asS3Error } from './errors.ts';
import { metadataOf } from './metadata.ts';

export type S3Options = {
  readonly bucket: string;
  /** Without slashes at its ends; may be empty. */
  readonly prefix: string;
  /** Address of a store that is not Amazon's. */
  readonly endpoint?: string;
  readonly region?: string;
  /** Ends requests that are under way. */
  readonly signal?: AbortSignal;
};

/** Without these a store that takes connections and never answers would be waited for without an end. */
const CONNECT_MS_MAX = 15_000;
const SILENT_MS_MAX = 120_000;

const PARALLEL = 16;
const DELETE_MAX = 1_000;

/** A file on the disk, which is read in pieces. */
export type WholeFile = { readonly path: string; readonly from: string; readonly size: number };

export type S3Target = DeployTarget & {
  /** Whether there are a region and credentials, without a word to the store. Throws DEPLOY_FAILED. */
  readonly check: () => Promise<void>;
  /** Throws FILE_FAILED for a file that cannot be read. */
  readonly putFile: (file: WholeFile) => Promise<void>;
  readonly has: (path: string) => Promise<boolean>;
  /** Writes the bytes that stand there to a file; false: there are none. Throws OUTPUT_UNWRITABLE for that file. */
  readonly fetch: (path: string, to: string) => Promise<boolean>;
  readonly close: () => void;
};

export const createS3Target = (options: S3Options): S3Target => {
  const { bucket, prefix, endpoint, region, signal } = options;
  const abort = signal === undefined ? {} : { abortSignal: signal };
  // Every request under way listens to it, of several targets at once.
  if (signal !== undefined) setMaxListeners(0, signal);
  // It is about versions of the client to come, and Prepress names one.
  presetVariable('AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED', 'true');
  const client = new S3Client({
    // Stores that are not Amazon's know few of the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_MS_MAX, socketTimeout: SILENT_MS_MAX },
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(region !== undefined && { region }),
  });
  const keyOf = (path: string): string => (prefix === '' ? path : `${prefix}/${path}`);
  const putOne = async (file: LocalFile): Promise<void> => {
    const Body = file.read();
    await client.send(
      new PutObjectCommand({
        Bucket: bucket,
        Key: keyOf(file.path),
        Body,
        ...metadataOf(file.path),
      }),
      abort,
    );
  };
  const putFile = async ({ path, from, size }: WholeFile): Promise<void> => {
    const file = await open(from).catch((cause: unknown) => {
      throw asFileError(cause, from);
    });
    const Body = file.createReadStream();
    const ending = new AbortController();
    // The client does not listen to what it reads.
    Body.once('error', (error) => ending.abort(error));
    const abortSignal = AbortSignal.any([ending.signal, ...(signal === undefined ? [] : [signal])]);
    const named = { Bucket: bucket, Key: keyOf(path), ...metadataOf(path) };
    try {
      const command = new PutObjectCommand({ ...named, Body, ContentLength: size });
      await client.send(command, { abortSignal });
    } catch (error) {
      throw ending.signal.aborted ? asFileError(ending.signal.reason, from) : error;
    } finally {
      Body.destroy();
    }
  };
  // A stream is sent once, and the client tries again only what it holds whole.
  const putAgain = (file: WholeFile, error: unknown): Promise<void> => {
    if (error instanceof PrepressError || signal?.aborted === true) throw error;
    return putFile(file);
  };
  const isAbsent = (error: unknown): false => {
    if (error instanceof NoSuchKey || error instanceof NotFound) return false;
    throw error;
  };
  const has = (path: string): Promise<boolean> =>
    client
      .send(new HeadObjectCommand({ Bucket: bucket, Key: keyOf(path) }), abort)
      .then(() => true, isAbsent);
  const fetchOne = async (path: string, to: string): Promise<boolean> => {
    const command = new GetObjectCommand({ Bucket: bucket, Key: keyOf(path) });
    const found = await client.send(command, abort).catch(isAbsent);
    if (found) await writeBody(found.Body as Readable, to);
    return found !== false;
  };
  const guarded = <T>(work: Promise<T>): Promise<T> =>
    work.catch((cause: unknown) => {
      throw asS3Error(cause, options);
    });
  const check = async (): Promise<void> => {
    await client.config.region();
    await client.config.credentials();
  };
  return {
    check: () => guarded(check()),
    list: () => guarded(listObjects({ client, bucket, prefix: keyOf(''), abort })),
    isSame: (file, { size, tag }) =>
      file.size === size && createHash('md5').update(file.read()).digest('hex') === tag,
    put: async (files) => {
      await guarded(mapConcurrently(files, putOne, PARALLEL));
    },
    putFile: (file) => guarded(putFile(file).catch((error: unknown) => putAgain(file, error))),
    has: (path) => guarded(has(path)),
    fetch: (path, to) => guarded(fetchOne(path, to)),
    remove: async (paths) => {
      for (let at = 0; at < paths.length; at += DELETE_MAX) {
        const Objects = paths.slice(at, at + DELETE_MAX).map((path) => ({ Key: keyOf(path) }));
        const Delete = { Objects, Quiet: true };
        const command = new DeleteObjectsCommand({ Bucket: bucket, Delete });
        const { Errors = [] } = await guarded(client.send(command, abort));
        const [failed] = Errors;
        if (failed !== undefined) {
          throw asS3Error(Object.assign(new Error(failed.Message), { name: failed.Code }), options);
        }
      }
    },
    close: () => client.destroy(),
  };
};

const asFileError = (cause: unknown, place: string): unknown =>
  asDiskError(cause, { code: 'FILE_FAILED', begins: 'A file cannot be read: ', place });

/** What the disk refuses is no fault of the store. */
const writeBody = async (body: Readable, to: string): Promise<void> => {
  const onDisk = <T>(work: Promise<T>): Promise<T> =>
    withDiskErrors({ code: 'OUTPUT_UNWRITABLE', place: to }, () => work);
  await closing(await onDisk(open(to, 'w')), async (file) => {
    for await (const chunk of body) await onDisk(file.appendFile(chunk));
  });
};

type Listing = {
  readonly client: S3Client;
  readonly bucket: string;
  readonly prefix: string;
  readonly abort: { readonly abortSignal?: AbortSignal };
};

const listObjects = async ({
  client,
  bucket,
  prefix,
  abort,
}: Listing): Promise<Map<string, StandingFile>> => {
  const found = new Map<string, StandingFile>();
  let token: string | undefined;
  do {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: token }),
      abort,
    );
    for (const { Key = '', Size = 0, ETag = '' } of page.Contents ?? []) {
      found.set(Key.slice(prefix.length), { size: Size, tag: ETag.replaceAll('"', '') });
    }
    token = page.NextContinuationToken;
  } while (token !== undefined);
  return found;
};
