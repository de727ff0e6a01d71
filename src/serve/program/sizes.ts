// Makes the sizes of pictures beside a program that runs for long, one run at a time: what a cycle or an upload asks for while
// one is under way is made by the next. What failed is tried again after waits that grow.
import { Pause } from '../../base/threads/pause.ts';
import { retryWaitMs } from '../../publish/deploy/deploys.ts';
import {
  hasSharp,
  type MakeOptions,
  makeSizes,
  NO_SHARP,
  waitingLine,
} from '../../publish/sizes/make-sizes.ts';
import { noteUpload, type SizesPublication } from '../../publish/sizes/update-sizes.ts';
import type { Logger } from './server-log.ts';

export type SizeMaker = {
  /** Says that pictures may wait. */
  readonly wake: () => void;
  /** Takes the path of a file that was uploaded. */
  readonly uploaded: (path: string) => void;
  /** Pictures of the run under way that are done, and about as many as there are; null: none runs. */
  readonly state: () => { readonly done: number; readonly total: number } | null;
  /** The picture that is being made is begun again by the next run. */
  readonly close: () => Promise<void>;
};

/** Of a server, other requests come first. */
const PRIORITY = 10;

type Options = Pick<MakeOptions, 'workerFile'> & {
  readonly logger: Logger;
  readonly onPlaced: () => void;
  readonly retryMs?: number;
};

export const createSizeMaker = (
  publication: SizesPublication,
  { logger, onPlaced, retryMs, ...options }: Options,
): SizeMaker => {
  const ending = new AbortController();
  const { signal } = ending;
  const pause = new Pause();
  let progress: { done: number; total: number } | null = null;
  let isAsked = false;
  let running: Promise<void> | null = null;
  const onProgress = (now: { done: number; total: number }): void => {
    progress = now;
  };
  /** False when it is to be tried again. */
  const make = async (): Promise<boolean> => {
    try {
      const making = makeSizes(publication, { signal, onProgress, priority: PRIORITY, ...options });
      const { pictures, placed, problem } = await making;
      if (pictures > 0) logger.info({ pictures, files: placed }, 'pictures were made in sizes');
      if (placed > 0) onPlaced();
      if (problem !== null) logger.warn(waitingLine(problem));
      return problem === null;
    } catch (error) {
      if (!signal.aborted) logger.error({ err: error }, 'pictures were not made in sizes');
      return false;
    } finally {
      progress = null;
    }
  };
  const run = async (): Promise<void> => {
    let failures = 0;
    while (isAsked && !signal.aborted) {
      isAsked = false;
      failures = (await make()) ? 0 : failures + 1;
      if (failures === 0 || signal.aborted) continue;
      isAsked = true;
      await pause.wait(retryWaitMs(failures, retryMs));
    }
    running = null;
  };
  const wake = (): void => {
    isAsked = true;
    pause.interrupt();
    running ??= run();
  };
  if (publication.config['images.sizes'].length > 0 && !hasSharp()) logger.warn(NO_SHARP);
  return {
    wake,
    uploaded: (path) => {
      try {
        if (noteUpload(publication, path)) wake();
      } catch (error) {
        // The file is kept: it gets its sizes when a record shows it.
        logger.warn({ err: error, path }, 'an uploaded picture waits for a record that shows it');
      }
    },
    state: () => progress,
    close: async () => {
      ending.abort();
      pause.interrupt();
      await running;
    },
  };
};
