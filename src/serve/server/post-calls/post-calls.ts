// Answers calls for posts and pages. One with long texts has a thread of its own, whose end gives the memory back; where no
// thread can be had, the call is answered here.
import { limitConcurrency } from '../../../base/limit-concurrency.ts';
import { LONG_BODY_BYTES } from '../../../base/limits.ts';
import { findBundledWorker, runOnThread } from '../../../base/threads/thread.ts';
import { sumPostBytes } from '../../../publication/store/content/post-keys.ts';
import type { PostsAnswer, PostsRequest } from '../job-worker.ts';
import { type PostCall, type PostCallContext, runPostCall } from './post-call.ts';

export type SentAnswer = {
  /** Of what was saved; empty otherwise. */
  readonly id: string;
  /** An object, the bytes of its JSON, or null. */
  readonly body: object | Buffer | null;
};

export type PostCalls = {
  /** Throws what runPostCall throws. */
  readonly run: (call: PostCall) => Promise<SentAnswer>;
};

/** Texts of stored posts that are read together here. */
const READ_BYTES_MAX = 4 * LONG_BODY_BYTES;

export const createPostCalls = (
  context: PostCallContext,
  workerFile = findBundledWorker('job-worker'),
): PostCalls => {
  // One at a time bounds their memory; a save that takes long keeps no reader waiting.
  const [saves, reads] = [limitConcurrency(1), limitConcurrency(1)];
  const runAside = async (file: string, call: PostCall): Promise<SentAnswer> => {
    const { store, reservedSlugs = [] } = context;
    const site = await context.site();
    const { id, bytes } = await runOnThread<PostsRequest, PostsAnswer>(
      file,
      { path: store.path, postgres: store.postgres, site, reservedSlugs, call },
      { moved: movedWith(call) },
    );
    return { id, body: bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) };
  };
  return {
    run: async (call) => {
      if (workerFile === null || !(await isLong(context, call))) return runPostCall(context, call);
      const lane = call.does === 'show' || call.does === 'convert' ? reads : saves;
      return lane(() => runAside(workerFile, call));
    },
  };
};

const isLong = async ({ store }: PostCallContext, call: PostCall): Promise<boolean> => {
  if ('body' in call && call.body instanceof Uint8Array) return true;
  if (call.does === 'create' || call.does === 'convert') return false;
  const ids = call.does === 'show' ? call.ids : [call.id];
  return (await sumPostBytes(store, ids)) > READ_BYTES_MAX;
};

/**
 * The bytes that came are moved to the thread: a copy of them would be one more in memory. Short ones may lie in the pool
 * that Node.js shares among buffers, which cannot be moved.
 */
const movedWith = (call: PostCall): ArrayBuffer[] => {
  if (!('body' in call && call.body instanceof Uint8Array)) return [];
  const { buffer, byteLength } = call.body;
  return buffer.byteLength === byteLength ? [buffer as ArrayBuffer] : [];
};
