// The thread of one call with long texts: it opens the publication for itself, and ends with its answer.
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../../../base/clock.ts';
import { findBundledWorker } from '../../../base/threads/bundled-worker.ts';
import { type PackedError, packError } from '../../../base/threads/thread-error.ts';
import { openStore } from '../../../publication/store/open-store.ts';
import { createFormatThread } from '../../editor/format-thread.ts';
import type { Site } from '../../editor/site.ts';
import { NotJsonError } from '../routes/json-text.ts';
import { type PostCall, runPostCall } from './post-call.ts';

export type PostTask = {
  /** Of the publishing database. */
  readonly path: string;
  readonly site: Site;
  readonly reservedSlugs: readonly string[];
  readonly call: PostCall;
};

export type TaskAnswer =
  /** `bytes`: the body as JSON. */
  | { readonly id: string; readonly bytes: Uint8Array<ArrayBuffer> | null }
  | { readonly error: PackedError | 'no JSON' };

const { path, site, reservedSlugs, call } = workerData as PostTask;

const answer = async (): Promise<TaskAnswer> => {
  const formats = createFormatThread({ workerFile: findBundledWorker('format-worker') });
  const store = await openStore(path);
  try {
    const context = { store, clock: systemClock, site: () => site, reservedSlugs, formats };
    const { id, body } = await runPostCall(context, call);
    return { id, bytes: body && Buffer.from(JSON.stringify(body)) };
  } catch (error) {
    return { error: error instanceof NotJsonError ? 'no JSON' : packError(error) };
  } finally {
    await store.close();
    await formats.close();
  }
};

const answered = await answer();
const moved = 'bytes' in answered && answered.bytes !== null ? [answered.bytes.buffer] : [];
parentPort?.postMessage(answered, moved);
