// Fetches files of a site into the media folder, a few at a time. What stands there is not fetched again, and a file gets
// its name when it is whole, so a run that broke off goes on where it was. Hosts in private networks are refused, at the
// first request and after each redirect, unless they are allowed.
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleepFor } from 'node:timers/promises';
import { PrepressError } from '../../../base/errors.ts';
import { findStat } from '../../../base/files/stat-key.ts';
import { limitConcurrency } from '../../../base/limit-concurrency.ts';
import { createHttpClient } from '../../../base/net/http-client.ts';
import { type Guard, openFile } from '../../../base/net/open-file.ts';
import { IMAGE_FOLDERS } from '../../../content/paths/files.ts';
import { openCopiedFiles } from '../../media/copied-files.ts';
import type { CopyReport } from '../../media/copy-media.ts';
import { MEDIA_FOLDER_MODE, makeMediaFolder, type Skipped } from '../../media/media-folder.ts';

export type FetchLimits = {
  readonly fileBytesMax: number;
  readonly bytesMax: number;
  /** Files that are fetched; what stands there, or cannot be had, does not count. */
  readonly filesMax: number;
};

export type FetchInput = {
  /** The site, without a trailing slash. */
  readonly from: string;
  /** Paths such as images/2026/01/a.png, each once. */
  readonly paths: Iterable<string>;
  /** The media folder; it is made when it is absent. The caller sees to it that nobody else copies into it. */
  readonly to: string;
  readonly guard: Guard;
  readonly limits: FetchLimits;
  readonly sleep?: (ms: number) => Promise<unknown>;
  readonly onFile?: (counts: Pick<CopyReport, 'copied' | 'unchanged'>) => void;
};

const AT_ONCE = 4;
const IDLE_TIMEOUT_MS = 60_000;
const TRIES = 3;
const FIRST_DELAY_MS = 1_000;
/** As many files are made durable, and named, at once. */
const PLACED_TOGETHER = 40;
const DOWNLOADS = '.prepress-fetch-';

/** Files that cannot be had are in the report. Throws OUTPUT_UNWRITABLE. */
export const fetchFiles = async (input: FetchInput): Promise<CopyReport> => {
  const { to, sleep = sleepFor, limits } = input;
  makeMediaFolder(to);
  const downloads = await makeDownloads(to);
  const http = createHttpClient({ connections: AT_ONCE, idleTimeoutMs: IDLE_TIMEOUT_MS });
  const counts = { copied: 0, unchanged: 0, skipped: [] as Skipped[] };
  const placer = createPlacer(to);
  const run: Run = {
    ...input,
    sleep,
    http,
    downloads,
    bytes: { left: limits.bytesMax },
    files: { left: limits.filesMax },
  };
  const lane = limitConcurrency(AT_ONCE);
  const pending = new Set<Promise<void>>();
  try {
    for (const path of input.paths) {
      const work = lane(async () => {
        const done = await fetchOne(run, path);
        if (done === 'unchanged') counts.unchanged += 1;
        else if (typeof done === 'string') counts.skipped.push({ path, reason: done });
        else {
          await placer.place(done.file, path);
          counts.copied += 1;
        }
        input.onFile?.(counts);
      });
      const settled = work.finally(() => pending.delete(settled));
      pending.add(settled);
      // It is waited for below; others may fail before.
      settled.catch(() => undefined);
      if (pending.size >= AT_ONCE * 2) await Promise.race(pending);
    }
    await Promise.all(pending);
    await placer.finish();
  } finally {
    await http.close();
    await Promise.allSettled(pending);
    await placer.close();
    await rm(downloads, { recursive: true, force: true });
  }
  return counts;
};

/** What an earlier run left is removed. */
const makeDownloads = async (to: string): Promise<string> => {
  for (const name of await readdir(to)) {
    if (name.startsWith(DOWNLOADS)) await rm(join(to, name), { recursive: true, force: true });
  }
  const folder = join(to, `${DOWNLOADS}${randomBytes(6).toString('hex')}`);
  await mkdir(folder, { mode: 0o700 });
  return folder;
};

type Run = Omit<FetchInput, 'paths' | 'sleep'> & {
  readonly sleep: (ms: number) => Promise<unknown>;
  readonly http: ReturnType<typeof createHttpClient>;
  readonly downloads: string;
  readonly bytes: { left: number };
  readonly files: { left: number };
};

/** A file that was fetched, or why it is not; the reason ends a sentence that begins with "it". */
type Done = { readonly file: string } | 'unchanged' | string;

const BEYOND_ALL = 'is beyond the limit of all bytes (images.megabytes)';

const BEYOND_FILES = 'is beyond the limit of all files (images.files)';

const fetchOne = async (run: Run, path: string): Promise<Done> => {
  const found = findStat(join(run.to, path));
  if (found?.isFile()) return 'unchanged';
  if (found !== undefined) return 'cannot be placed: something else of that name stands there';
  if (run.bytes.left <= 0) return BEYOND_ALL;
  if (run.files.left <= 0) return BEYOND_FILES;
  run.files.left -= 1;
  const done = await fetchAgain(run, path);
  if (typeof done === 'string') run.files.left += 1;
  return done;
};

const fetchAgain = async (run: Run, path: string): Promise<Done> => {
  const file = join(run.downloads, randomBytes(8).toString('hex'));
  for (let tried = 1; ; tried += 1) {
    const fault = await download(run, path, file);
    if (fault === null) return { file };
    await rm(file, { force: true });
    if (!fault.mayPass || tried === TRIES) return fault.reason;
    await run.sleep(FIRST_DELAY_MS * 2 ** (tried - 1));
  }
};

type Fault = { readonly reason: string; readonly mayPass: boolean };

const download = async (run: Run, path: string, file: string): Promise<Fault | null> => {
  const { from, guard, limits, http, bytes } = run;
  const url = new URL(`${from}/content/${path.split('/').map(encodeURIComponent).join('/')}`);
  const { fileBytesMax } = limits;
  const answer = await openFile(http, url, { guard, bytesMax: fileBytesMax });
  if ('reason' in answer) return answer;
  if (!isTypeFor(path, answer.header('content-type'))) {
    answer.discard();
    return { reason: 'is a page, not a file', mayPass: false };
  }
  const taken = { bytes: 0 };
  try {
    const body = countBytes(answer.body, bytes, taken);
    await pipeline(body, createWriteStream(file, { flags: 'wx', mode: 0o600 }));
    return null;
  } catch (error) {
    bytes.left += taken.bytes;
    if (error instanceof BeyondAll) return { reason: BEYOND_ALL, mayPass: false };
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    if (code === 'ANSWER_TOO_LARGE') {
      return { reason: `has more than ${fileBytesMax} bytes`, mayPass: false };
    }
    if (code === 'ANSWER_CUT' || !isDiskFault(error)) {
      return { reason: `broke off (${code})`, mayPass: true };
    }
    const sentence = `The file ${file} cannot be written: ${code}.`;
    throw new PrepressError('OUTPUT_UNWRITABLE', sentence, { cause: error });
  }
};

class BeyondAll extends Error {}

async function* countBytes(
  body: AsyncIterable<Uint8Array>,
  all: { left: number },
  taken: { bytes: number },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    all.left -= chunk.length;
    taken.bytes += chunk.length;
    if (all.left < 0) throw new BeyondAll();
    yield chunk;
  }
}

const isDiskFault = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).syscall === 'write' ||
  (error as NodeJS.ErrnoException).syscall === 'open';

/** A page in place of a picture is what a site says that does not have it. */
const isTypeFor = (path: string, type: string | null): boolean => {
  const isPage = /^\s*text\/html\b/i.test(type ?? '');
  return !isPage || (path.startsWith('files/') && /\.x?html?$/i.test(path));
};

/** Gives files their names, one after the other and some dozen at a time. */
const createPlacer = (to: string) => {
  const folders = new Map<string, ReturnType<typeof openCopiedFiles>>();
  const waiting: string[] = [];
  const next = limitConcurrency(1);
  const finish = async (): Promise<void> => {
    for (const files of folders.values()) await (await files).finish();
    for (const file of waiting.splice(0)) await rm(file, { force: true });
  };
  const filesIn = (folder: string): ReturnType<typeof openCopiedFiles> => {
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const opened = openCopiedFiles(join(to, folder), { folderMode: MEDIA_FOLDER_MODE });
    folders.set(folder, opened);
    return opened;
  };
  return {
    place: (file: string, path: string): Promise<void> =>
      next(async () => {
        const folder = IMAGE_FOLDERS.find((name) => path.startsWith(`${name}/`)) ?? 'images';
        await (await filesIn(folder)).add(file, join(to, path), { stats: await lstat(file) });
        waiting.push(file);
        if (waiting.length >= PLACED_TOGETHER) await finish();
      }),
    finish: (): Promise<void> => next(finish),
    close: async (): Promise<void> => {
      for (const files of folders.values()) await (await files).close();
    },
  };
};
