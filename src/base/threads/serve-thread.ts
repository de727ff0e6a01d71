// What runs in a worker thread: it answers one request after another, in their order, and an error goes back whole. The
// one place that speaks with whoever started the thread.
import { parentPort } from 'node:worker_threads';
import { type PackedError, packError } from './thread-error.ts';

/** In place of a request: no further one comes. */
export const END = null;

export type Said<Answer, News> =
  | { readonly answer: Answer }
  | { readonly news: News }
  | { readonly failed: PackedError };

type ServeOptions<Answer> = {
  /** Buffers of an answer that are moved, not copied. */
  readonly movedOf?: (answer: Answer) => ArrayBuffer[];
};

/** Call it when all is loaded: from then on the thread counts as started. `tell` says something before the answer. */
export const serveThread = <Request, Answer, News = never>(
  act: (request: Request, tell: (news: News) => void) => Answer | Promise<Answer>,
  { movedOf = () => [] }: ServeOptions<Answer> = {},
): void => {
  const say = (said: Said<Answer, News>, moved: ArrayBuffer[] = []): void =>
    parentPort?.postMessage(said, moved);
  const answerTo = async (request: Request): Promise<void> => {
    try {
      const answer = await act(request, (news) => say({ news }));
      say({ answer }, movedOf(answer));
    } catch (error) {
      say({ failed: packError(error) });
    }
  };
  let last: Promise<void> = Promise.resolve();
  parentPort?.on('message', (request: Request | typeof END) => {
    last = last.then(() => (request === END ? parentPort?.close() : answerTo(request)));
  });
  parentPort?.postMessage({ answer: null } satisfies Said<null, never>);
};
