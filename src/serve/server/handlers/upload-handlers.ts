// Uploads: pictures, video and sound, and other files, each as one multipart body. A file is received whole, as a
// temporary one, before anything is decided, and nothing of it stays when the request fails.
import { randomBytes } from 'node:crypto';
import { createWriteStream, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { invalid, PrepressError } from '../../../base/errors.ts';
import { makeFolder } from '../../../base/files/make-folder.ts';
import type { Config } from '../../../settings/settings.ts';
import { judgeUpload, type UploadKind } from '../../admin/uploads/upload-type.ts';
import { storeThumbnail, storeUpload } from '../../admin/uploads/uploads.ts';
import { giveTime } from '../connections/request-time.ts';
import type { ServerDeps } from '../server-deps.ts';
import type { Call, Exchange, Handlers } from './handler.ts';
import type { UploadAddresses } from './upload-addresses.ts';

type UploadHandlers = Pick<Handlers, 'images' | 'media' | 'files'>;

const SETTINGS = {
  images: 'uploads.imageMegabytesMax',
  media: 'uploads.mediaMegabytesMax',
  files: 'uploads.fileMegabytesMax',
} as const satisfies Record<UploadKind, keyof Config>;

export const uploadHandlers = (deps: ServerDeps, addresses: UploadAddresses): UploadHandlers => {
  const { config, context, uploads } = deps;
  const storing = { clock: context.clock, files: uploads };
  rmSync(uploads.folder, { recursive: true, force: true });
  const taking =
    (kind: UploadKind, answer: Answer) =>
    (_call: Call, { request }: Exchange) => {
      const megabytes = config[SETTINGS[kind]];
      return receive(request, { folder: uploads.folder, kind, megabytes }, async (form) => ({
        ...(await answer(form, (stored) => addresses.urlOf(request, stored))),
        ref: form.fields.get('ref') ?? null,
      }));
    };
  const one = (kind: 'images' | 'files') =>
    taking(kind, async ({ file, fields }, urlOf) => {
      const purpose = kind === 'images' ? fields.get('purpose') : undefined;
      return { url: urlOf(await storeUpload(storing, { kind, ...file, purpose })) };
    });
  const thumbnail = (replaces: boolean) =>
    taking('images', async ({ file, fields }, urlOf) => {
      const video = addresses.pathOf(fields.get('url') ?? '');
      if (video === null || !uploads.has(video)) throw noVideo();
      return { url: urlOf(await storeThumbnail(storing, file, { video, replaces })) };
    });
  return {
    images: { 'POST /upload/': one('images') },
    files: { 'POST /upload/': one('files') },
    media: {
      'POST /upload/': taking('media', async ({ file, thumbnail: picture }, urlOf) => {
        // Before the video is kept: the request is taken whole or not at all.
        if (picture) await judgeUpload('images', picture.file, picture.name);
        const stored = await storeUpload(storing, { kind: 'media', ...file });
        const beside =
          picture && (await storeThumbnail(storing, picture, { video: stored, replaces: false }));
        return { url: urlOf(stored), thumbnail_url: beside === undefined ? null : urlOf(beside) };
      }),
      'POST /thumbnail/upload/': thumbnail(false),
      // Ghost's own editor replaces one.
      'PUT /thumbnail/upload/': thumbnail(true),
    },
  };
};

const noVideo = (): PrepressError =>
  invalid('url', 'url must be the address of an uploaded media file.');

type Received = { readonly file: string; readonly name: string };

type Form = {
  readonly file: Received;
  readonly thumbnail: Received | undefined;
  /** The last value of each. */
  readonly fields: ReadonlyMap<string, string>;
  /** Names and values, as they came. */
  readonly entries: readonly (readonly [name: string, value: string])[];
};

/** `urlOf`: the address of a path below `content/`. */
type Answer = (form: Form, urlOf: (path: string) => string) => Promise<{ readonly url: string }>;

type Limits = {
  readonly folder: string;
  readonly kind: UploadKind;
  readonly megabytes: number;
  /** What clients call the file. */
  readonly part?: string;
};

const PARTS_MAX = 100;
const FIELD_BYTES_MAX = 16 * 1024;
const MEGABYTE = 1024 * 1024;

/** Needs the plugin of multipart bodies in its scope. */
export const receive = async <T>(
  request: FastifyRequest,
  { folder, kind, megabytes, part: fileName = 'file' }: Limits,
  use: (form: Form) => Promise<T>,
): Promise<T> => {
  if (!request.isMultipart()) {
    throw new PrepressError('UNSUPPORTED_MEDIA_TYPE', 'Send the file as multipart/form-data.');
  }
  makeFolder(folder, { isPrivate: true });
  const entries: [name: string, value: string][] = [];
  const files = new Map<string, Received>();
  giveTime(request.raw);
  try {
    const parts = request.parts({
      limits: {
        fileSize: megabytes * MEGABYTE,
        fieldSize: FIELD_BYTES_MAX,
        fields: PARTS_MAX,
        files: 2,
        parts: PARTS_MAX,
      },
    });
    for await (const part of readable(parts)) {
      if (part.type === 'field') {
        if (typeof part.value === 'string') entries.push([part.fieldname, part.value]);
        continue;
      }
      const file = join(folder, randomBytes(12).toString('hex'));
      const key = part.fieldname === 'thumbnail' ? 'thumbnail' : 'file';
      if (files.has(key)) throw new PrepressError('BAD_REQUEST', 'Send one file in a request.');
      files.set(key, { file, name: part.filename });
      await write(part, file, () => tooLarge(kind, megabytes));
    }
    const file = files.get('file');
    if (file === undefined) {
      const isText = entries.some(([name]) => name === fileName);
      const sentence = isText
        ? `The part "${fileName}" holds text: send a file, as curl does with -F ${fileName}=@PATH.`
        : `The request has no part "${fileName}".`;
      throw invalid(fileName, sentence);
    }
    return await use({
      file,
      thumbnail: files.get('thumbnail'),
      fields: new Map(entries),
      entries,
    });
  } finally {
    for (const { file } of files.values()) rmSync(file, { force: true });
  }
};

/** What the form's reader throws of a form that is cut off, or is none, has neither a code nor a status. */
async function* readable<Part>(parts: AsyncIterable<Part>): AsyncGenerator<Part> {
  try {
    yield* parts;
  } catch (error) {
    throw isOfForm(error) ? unreadable() : error;
  }
}

const unreadable = (): PrepressError =>
  new PrepressError('BAD_REQUEST', 'The form of the request is incomplete or malformed.');

const isOfForm = (error: unknown): boolean =>
  error instanceof Error && error.constructor === Error && !('code' in error);

const write = async (part: MultipartFile, file: string, tooLargeError: () => Error) => {
  try {
    // Opened at once: what is opened later may come after the file was removed.
    const fd = openSync(file, 'wx', 0o600);
    await pipeline(part.file, createWriteStream(file, { fd }));
  } catch (error) {
    if (part.file.truncated) throw tooLargeError();
    throw isOfForm(error) ? unreadable() : error;
  }
  if (part.file.truncated) throw tooLargeError();
};

const tooLarge = (kind: UploadKind, megabytes: number): PrepressError =>
  new PrepressError(
    'BODY_TOO_LARGE',
    `The file is larger than ${megabytes} MB, which the setting ${SETTINGS[kind]} allows.`,
  );
