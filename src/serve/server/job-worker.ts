// The thread of one long call, of posts or of many members: it opens the publication for itself, and ends with its answer.
import { systemClock } from '../../base/clock.ts';
import { serveThread } from '../../base/threads/serve-thread.ts';
import { findBundledWorker } from '../../base/threads/thread.ts';
import { openStore } from '../../publication/store/open-store.ts';
import type { Store } from '../../publication/store/store.ts';
import { createFormatThread } from '../editor/format-thread.ts';
import type { Site } from '../editor/site.ts';
import { type MemberJob, runMemberJob } from './member-jobs/member-job.ts';
import { type PostCall, runPostCall } from './post-calls/post-call.ts';

/** Of the publishing database. */
type Place = Pick<Store, 'path' | 'postgres'>;

export type MembersRequest = Place & { readonly job: MemberJob };

export type PostsRequest = Place & {
  readonly site: Site;
  readonly reservedSlugs: readonly string[];
  readonly call: PostCall;
};

/** `bytes`: the body as JSON. */
export type PostsAnswer = {
  readonly id: string;
  readonly bytes: Uint8Array<ArrayBuffer> | null;
};

const callPosts = async (
  store: Store,
  { site, reservedSlugs, call }: PostsRequest,
): Promise<PostsAnswer> => {
  const formats = createFormatThread({ workerFile: findBundledWorker('format-worker') });
  try {
    const context = { store, clock: systemClock, site: () => site, reservedSlugs, formats };
    const { id, body } = await runPostCall(context, call);
    return { id, bytes: body && Buffer.from(JSON.stringify(body)) };
  } finally {
    await formats.close();
  }
};

const act = async (
  request: MembersRequest | PostsRequest,
): Promise<PostsAnswer | string | null> => {
  const { path, postgres } = request;
  const store = await openStore(path, { postgres });
  try {
    return await ('job' in request ? runMemberJob(store, request.job) : callPosts(store, request));
  } finally {
    await store.close();
  }
};

serveThread(act, {
  movedOf: (answer) => (typeof answer === 'object' && answer?.bytes ? [answer.bytes.buffer] : []),
});
