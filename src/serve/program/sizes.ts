// Makes the sizes of pictures beside a program that runs for long, one run at a time: what a cycle or an upload asks for while
// one is under way is made by the next.
import { hasSharp, type MadeSizes, makeSizes, NO_SHARP } from '../../publish/sizes/make-sizes.ts';
import type { SizesPublication } from '../../publish/sizes/update-sizes.ts';
import type { Logger } from './server-log.ts';

export type SizeMaker = {
  /** Says that pictures may wait. */
  readonly wake: () => void;
  /** Pictures of the run under way that are done, and about as many as there are; null: none runs. */
  readonly state: () => { readonly done: number; readonly total: number } | null;
  /** Ends after the picture that is being made. */
  readonly close: () => Promise<void>;
};

/** Of a server, other requests come first. */
const PRIORITY = 10;

type Listeners = { readonly logger: Logger; readonly onPlaced: () => void };

export const createSizeMaker = (
  publication: SizesPublication,
  { logger, onPlaced }: Listeners,
): SizeMaker => {
  const ending = new AbortController();
  let progress: { done: number; total: number } | null = null;
  let isAsked = false;
  let running: Promise<void> | null = null;
  const onProgress = (now: { done: number; total: number }): void => {
    progress = now;
  };
  const say = ({ pictures, placed }: MadeSizes): void => {
    if (pictures > 0) logger.info({ pictures, files: placed }, 'pictures were made in sizes');
    if (placed > 0) onPlaced();
  };
  const run = async (): Promise<void> => {
    while (isAsked && !ending.signal.aborted) {
      isAsked = false;
      try {
        say(
          await makeSizes(publication, { signal: ending.signal, onProgress, priority: PRIORITY }),
        );
      } catch (error) {
        if (!ending.signal.aborted) logger.error({ err: error }, 'pictures were not made in sizes');
      }
      progress = null;
    }
    running = null;
  };
  if (publication.config['images.sizes'].length > 0 && !hasSharp()) logger.warn(NO_SHARP);
  return {
    wake: () => {
      isAsked = true;
      running ??= run();
    },
    state: () => progress,
    close: async () => {
      ending.abort();
      await running;
    },
  };
};
