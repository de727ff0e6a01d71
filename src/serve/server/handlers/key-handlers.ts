// API keys, builds and the publisher's state: ours, beyond Ghost's (decisions).
import { PrepressError } from '../../../base/errors.ts';
import { toIsoTime } from '../../../base/time.ts';
import {
  findLastChange,
  type LastChange,
  listBuilds,
} from '../../../publication/store/log/publishing.ts';
import {
  LISTED_MAX,
  listBrokenRows,
  showBroken,
} from '../../../publish/build/set-aside/broken-rows.ts';
import { createKey } from '../../admin/keys/keys.ts';
import { listKeysBy, revokeKeyBy } from '../../admin/keys/keys-by-key.ts';
import { describeHeldPosts } from '../../admin/posts/held-posts.ts';
import type { ServerDeps } from '../ports.ts';
import type { Handlers } from './handler.ts';

export const keyHandlers = (deps: ServerDeps): Pick<Handlers, 'keys' | 'builds' | 'state'> => {
  const { context, publisher } = deps;
  return {
    keys: {
      'GET /': ({ keyId }) => listKeysBy(context, keyId),
      'POST /': ({ input }) => createKey(context, input),
      'DELETE /{id}/': ({ id, keyId }) => revokeKeyBy(context, id, keyId),
    },
    builds: {
      'GET /': async ({ value }) =>
        (await listBuilds(context.store.reader, limitOf(value('limit')))).map(showBuild),
      'POST /': () => publisher.requestBuild('admin'),
    },
    state: {
      'GET /': async () => ({
        state: {
          ...publisher.state(),
          lastChange: showChange(await findLastChange(context.store.reader)),
          heldPosts: await describeHeldPosts(context.store.reader, context.clock.now()),
          setAside: showBrokenRows(deps),
        },
      }),
    },
  };
};

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 500;

export const limitOf = (text: string | undefined): number => {
  if (text === undefined || text === '') return LIMIT_DEFAULT;
  if (!/^\d{1,9}$/.test(text)) {
    throw new PrepressError('VALIDATION', 'limit must be a positive number.', {
      property: 'limit',
    });
  }
  return Math.min(Math.max(1, Number(text)), LIMIT_MAX);
};

const showBrokenRows = ({ config, context }: ServerDeps): object[] => {
  const snapshot = context.store.snapshot();
  try {
    return listBrokenRows(snapshot, config.shape).slice(0, LISTED_MAX).map(showBroken);
  } finally {
    snapshot.close();
  }
};

const showChange = (change: LastChange | null) =>
  change && { ...change, finishedAt: toIsoTime(change.finishedAt) };

const showBuild = (build: Awaited<ReturnType<typeof listBuilds>>[number]) => ({
  id: build.id,
  generation: build.generation,
  kind: build.kind,
  state: build.state,
  requested_by: build.requested_by,
  requested_at: toIsoTime(build.requested_at),
  started_at: toIsoTime(build.started_at),
  finished_at: toIsoTime(build.finished_at),
  error: build.error,
});
