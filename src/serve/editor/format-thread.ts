// Editor documents are converted in a thread of their own, which starts at the first document and ends when none came
// for a while. One that takes too long or too much memory ends it; the next document starts another.
import { Worker } from 'node:worker_threads';
import {
  FORMAT_HTML_TIME_MS,
  FORMAT_IDLE_MS,
  FORMAT_LOAD_MS,
  FORMAT_MEMORY_MB,
  FORMAT_TIME_MS,
} from '../../base/limits.ts';
import type { EditorFormats, FormatAnswer, FormatRequest } from './editor-formats.ts';
import { hasFormatPackages, INSTALL_COMMAND } from './packages.ts';

export type FormatThread = EditorFormats & { readonly close: () => Promise<void> };

type Options = {
  /** The bundled worker; null when the program runs from its sources. */
  readonly workerFile: string | null;
  /** Where packages are looked for: the address of a file. */
  readonly place?: string;
  readonly timeMs?: number;
  readonly idleMs?: number;
};

export const createFormatThread = ({
  workerFile,
  place = import.meta.url,
  timeMs = FORMAT_TIME_MS,
  idleMs = FORMAT_IDLE_MS,
}: Options): FormatThread => {
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();

  /** Waits for nothing that is under way: what waits is answered that it cannot be rendered. */
  const end = async (): Promise<void> => {
    clearTimeout(idle);
    const ended = worker;
    worker = null;
    await ended?.terminate();
  };
  const open = async (file: string): Promise<Worker | Ended> => {
    const opened = startWorker(file);
    const heard = await nextMessage(opened, FORMAT_LOAD_MS);
    if ('message' in heard) return opened;
    await opened.terminate();
    return heard;
  };
  const ask = async (asked: Worker, request: FormatRequest): Promise<FormatAnswer> => {
    asked.ref();
    const answered = nextMessage(
      asked,
      request.from === 'html' ? Math.min(timeMs, FORMAT_HTML_TIME_MS) : timeMs,
    );
    asked.postMessage(request);
    const heard = await answered;
    asked.unref();
    if ('message' in heard) {
      // A long document leaves the thread with memory that the system would like to have back.
      if (request.text.length > LONG_UNITS) await end();
      else idle = setTimeout(() => void end(), idleMs).unref();
      return heard.message as FormatAnswer;
    }
    await end();
    return { fault: heard.ended };
  };
  const installCommand = (): string | null =>
    workerFile === null || !hasFormatPackages(place) ? INSTALL_COMMAND : null;
  const answer = async (request: FormatRequest): Promise<FormatAnswer> => {
    clearTimeout(idle);
    if (worker === null) {
      if (workerFile === null || installCommand() !== null) {
        return { fault: notRead('not installed') };
      }
      const opened = await open(workerFile);
      if (!(opened instanceof Worker)) return { fault: notRead('not those that run here') };
      worker = opened;
    }
    return ask(worker, request);
  };
  return {
    convert: (request) => {
      const answered = last.then(() => answer(request));
      last = answered.catch(() => undefined);
      return answered;
    },
    installCommand,
    close: end,
  };
};

const LONG_UNITS = 1024 * 1024;

const notRead = (why: string): string =>
  `is not read here, because Ghost's renderers are ${why}: run "${INSTALL_COMMAND}", or send html with ?source=html`;

const startWorker = (file: string): Worker => {
  const worker = new Worker(file, {
    env: { NODE_ENV: 'production' },
    resourceLimits: { maxOldGenerationSizeMb: FORMAT_MEMORY_MB },
    // The packages warn of what a document has, which is nobody's business.
    stdout: true,
    stderr: true,
  });
  // What ends it is heard by whoever waits for an answer.
  worker.on('error', () => undefined);
  worker.stdout.resume();
  worker.stderr.resume();
  return worker;
};

/** The end of a sentence that says why the thread is of no use any more. */
type Ended = { readonly ended: string };

const nextMessage = (
  worker: Worker,
  timeMs: number,
): Promise<{ readonly message: unknown } | Ended> =>
  new Promise((resolve) => {
    const late = setTimeout(
      () => settle({ ended: `takes longer than ${timeMs / 1000} seconds to render` }),
      timeMs,
    );
    const onMessage = (message: unknown): void => settle({ message });
    const onError = (error: Error & { readonly code?: string }): void => {
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      settle({
        ended: isMemory ? `takes more than ${FORMAT_MEMORY_MB} MB to render` : 'cannot be rendered',
      });
    };
    const onExit = (): void => settle({ ended: 'cannot be rendered' });
    const settle = (heard: { readonly message: unknown } | Ended): void => {
      clearTimeout(late);
      worker.off('message', onMessage).off('exit', onExit).off('error', onError);
      resolve(heard);
    };
    worker.on('message', onMessage).on('exit', onExit).on('error', onError);
  });
