// Editor documents are converted in a thread of their own, which starts at the first document and ends when none came
// for a while. One that takes too long or too much memory ends it; the next document starts another.
import { limitConcurrency } from '../../base/limit-concurrency.ts';
import { FORMAT_HTML_TIME_MS, FORMAT_TIME_MS } from '../../base/limits.ts';
import { endReasonOf, startThread, type Thread } from '../../base/threads/thread.ts';
import type { EditorFormats, FormatAnswer, FormatRequest } from './editor-formats.ts';
import { hasFormatPackages, INSTALL_COMMAND } from './packages.ts';
import { NO_PICTURES, type Pictures } from './site.ts';

/** Longest time that the thread takes to start. */
const LOAD_MS = 60_000;
const MEMORY_MB = 512;
/** It stays so long when there is nothing to do. */
const IDLE_MS = 60_000;
export type FormatThread = EditorFormats & { readonly close: () => Promise<void> };

type Options = {
  /** The bundled worker; null when the program runs from its sources. */
  readonly workerFile: string | null;
  /** Where packages are looked for: the address of a file. */
  readonly place?: string;
  readonly timeMs?: number;
  readonly idleMs?: number;
  readonly pictures?: Pictures;
};

export const createFormatThread = ({
  workerFile,
  place = import.meta.url,
  timeMs = FORMAT_TIME_MS,
  idleMs = IDLE_MS,
  pictures = NO_PICTURES,
}: Options): FormatThread => {
  let thread: Thread<FormatRequest, FormatAnswer> | null = null;
  let isClosed = false;
  let idle: NodeJS.Timeout | undefined;
  const lane = limitConcurrency(1);

  const end = async (): Promise<void> => {
    clearTimeout(idle);
    const ended = thread;
    thread = null;
    await ended?.close();
  };
  const installCommand = (): string | null =>
    workerFile === null || !hasFormatPackages(place) ? INSTALL_COMMAND : null;
  const open = async (): Promise<typeof thread> => {
    if (workerFile === null || installCommand() !== null) return null;
    thread = startThread(workerFile, THREAD);
    await thread.started.catch(end);
    return thread;
  };
  const ask = async (
    asked: Thread<FormatRequest, FormatAnswer>,
    request: FormatRequest,
  ): Promise<FormatAnswer> => {
    const allowedMs = request.from === 'html' ? Math.min(timeMs, FORMAT_HTML_TIME_MS) : timeMs;
    try {
      const answer = await asked.ask({ pictures, ...request }, { timeMs: allowedMs });
      // A long document leaves the thread with memory that the system would like to have back.
      if (request.text.length > LONG_UNITS) await end();
      else idle = setTimeout(() => void end(), idleMs).unref();
      return answer;
    } catch (error) {
      await end();
      return { fault: faultOf(error, allowedMs) };
    }
  };
  const answer = async (request: FormatRequest): Promise<FormatAnswer> => {
    clearTimeout(idle);
    if (isClosed) return { fault: faultOf(null, timeMs) };
    if (thread !== null) return ask(thread, request);
    const why = installCommand() === null ? 'not those that run here' : 'not installed';
    const opened = await open();
    return opened === null ? { fault: notRead(why) } : ask(opened, request);
  };
  return {
    convert: (request) => lane(() => answer(request)),
    installCommand,
    /** What is under way or waits is answered that it cannot be rendered. */
    close: async () => {
      isClosed = true;
      await end();
    },
  };
};

const LONG_UNITS = 1024 * 1024;

const notRead = (why: string): string =>
  `is not read here, because Ghost's renderers are ${why}: run "${INSTALL_COMMAND}", or send html with ?source=html`;

const THREAD = {
  env: { NODE_ENV: 'production' },
  resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  loadMs: LOAD_MS,
  // The packages warn of what a document has, which is nobody's business.
  isQuiet: true,
  // The time of a document keeps the process while it is awaited.
  keepsProcess: false,
} as const;

/** The end of a sentence that says why the thread is of no use any more. */
const faultOf = (error: unknown, timeMs: number): string => {
  const reason = endReasonOf(error);
  if (reason === 'time') return `takes longer than ${timeMs / 1000} seconds to render`;
  if (reason === 'memory') return `takes more than ${MEMORY_MB} MB to render`;
  return 'cannot be rendered';
};
