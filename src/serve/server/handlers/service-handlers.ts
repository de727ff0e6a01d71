// API keys, webhooks and their deliveries, builds and the publisher's state. Webhooks cannot be read back: GET is not found.
// Never a payload or a secret.
import { closing } from '../../../base/closing.ts';
import { invalid, notFound } from '../../../base/errors.ts';
import { isId } from '../../../base/ids.ts';
import { SERVICE_LIMIT_DEFAULT, SERVICE_LIMIT_MAX } from '../../../base/limits.ts';
import { pick, pickAs } from '../../../base/text/words.ts';
import { toIsoTime } from '../../../base/time.ts';
import { shownName } from '../../../content/queries/query-problem.ts';
import { isOwnerKey } from '../../../publication/store/access/keys.ts';
import {
  findLastChange,
  type LastChange,
  listBuilds,
} from '../../../publication/store/log/publishing.ts';
import {
  type ListedDelivery,
  listDeliveries,
} from '../../../publication/store/webhooks/attempts.ts';
import { findWebhookOf } from '../../../publication/store/webhooks/deliveries.ts';
import {
  LISTED_MAX,
  listBrokenRows,
  showBroken,
} from '../../../publish/build/set-aside/broken-rows.ts';
import { describeServers } from '../../../publish/cycle/shown-servers.ts';
import { queueTest, redeliverOne } from '../../../publish/webhooks/sending/webhook-actions.ts';
import { createKey } from '../../admin/keys/keys.ts';
import { listKeysBy, revokeKeyBy } from '../../admin/keys/keys-by-key.ts';
import { OWNERS_ALONE, stateForOthers } from '../../admin/keys/state-for-others.ts';
import {
  createWebhook,
  editWebhook,
  getOwnWebhook,
  removeWebhook,
} from '../../admin/keys/webhooks.ts';
import { describeUnsentPosts } from '../../admin/posts/unsent-posts.ts';
import type { ServerDeps } from '../server-deps.ts';
import type { Handlers } from './handler.ts';

type ServiceHandlers = Pick<Handlers, 'keys' | 'builds' | 'state' | 'webhooks' | 'deliveries'>;

export const serviceHandlers = (deps: ServerDeps): ServiceHandlers => {
  const { context, publisher } = deps;
  const { store, clock } = context;
  return {
    keys: {
      'GET /': ({ keyId }) => listKeysBy(context, keyId),
      'POST /': ({ input }) => createKey(context, input),
      'DELETE /{id}/': ({ id, keyId }) => revokeKeyBy(context, id, keyId),
    },
    builds: {
      'GET /': async ({ keyId, value }) => {
        const isOwner = await isOwnerKey(store, keyId);
        const builds = (await listBuilds(store, limitOf(value('limit')))).map(showBuild);
        return builds.map((one) => (isOwner ? one : { ...one, error: one.error && OWNERS_ALONE }));
      },
      'POST /': () => publisher.requestBuild('admin'),
    },
    state: {
      'GET /': async ({ keyId }) => {
        const state = publisher.state();
        const isOwner = await isOwnerKey(store, keyId);
        return {
          state: {
            ...(isOwner ? state : stateForOthers(state)),
            lastChange: showChange(await findLastChange(store)),
            heldPosts: await describeUnsentPosts(store, clock.now()),
            setAside: showBrokenRows(deps),
            servers: isOwner ? await describeServers(store) : [],
          },
        };
      },
    },
    webhooks: {
      'POST /': ({ input, keyId }) => createWebhook(context, input, keyId),
      'PUT /{id}/': ({ id, input, keyId }) => editWebhook(context, { id, input }, keyId),
      'DELETE /{id}/': ({ id, keyId }) => removeWebhook(context, id, keyId),
      'POST /{id}/test/': async ({ id, keyId }) => ({
        id: await store.write(async (tx) => {
          await getOwnWebhook(tx, id, keyId);
          return queueTest(tx, id, clock.now());
        }),
      }),
    },
    deliveries: {
      'GET /': async ({ keyId, value, flag }) => {
        const webhookId = value('webhook_id');
        if (webhookId !== undefined && !isId(webhookId)) {
          throw invalid('webhook_id', 'webhook_id must be 24 hexadecimal characters.');
        }
        const isOwner = await isOwnerKey(store, keyId);
        const deliveries = await listDeliveries(store, {
          failed: flag('failed'),
          limit: limitOf(value('limit')),
          ...(webhookId !== undefined && { webhookId }),
          ...(!isOwner && { integrationId: keyId }),
        });
        return deliveries.map(showDelivery);
      },
      'POST /{id}/redeliver/': async ({ id, keyId }) => {
        await store.write(async (tx) => {
          const webhookId = await findWebhookOf(tx, id);
          if (webhookId === undefined) throw notFound('Delivery');
          await getOwnWebhook(tx, webhookId, keyId);
          await redeliverOne(tx, id, clock.now());
        });
        return { id };
      },
    },
  };
};

const limitOf = (text: string | undefined): number => {
  if (text === undefined || text === '') return SERVICE_LIMIT_DEFAULT;
  if (!/^\d{1,9}$/.test(text)) {
    throw invalid('limit', `limit must be a positive number, got ${shownName(text)}.`);
  }
  return Math.min(Math.max(1, Number(text)), SERVICE_LIMIT_MAX);
};

const showBrokenRows = ({ config, context }: ServerDeps): object[] =>
  closing(context.store.snapshot(), (snapshot) =>
    listBrokenRows(snapshot, config.shape).slice(0, LISTED_MAX).map(showBroken),
  );

const showChange = (change: LastChange | null) =>
  change && { ...change, finishedAt: toIsoTime(change.finishedAt) };

const showBuild = (build: Awaited<ReturnType<typeof listBuilds>>[number]) => ({
  ...pick(build, 'id generation kind state requested_by'),
  ...pickAs(build, 'requested_at started_at finished_at', toIsoTime),
  error: build.error,
});

const showDelivery = (delivery: ListedDelivery) => ({
  id: delivery.id,
  webhook_id: delivery.webhookId,
  event: delivery.event,
  generation: delivery.generation,
  record_id: delivery.recordId,
  state: delivery.state,
  due_at: toIsoTime(delivery.dueAt),
  created_at: toIsoTime(delivery.createdAt),
  finished_at: toIsoTime(delivery.finishedAt),
  attempts: delivery.attempts.map(({ number, startedAt, durationMs, status, error, reason }) => ({
    number,
    started_at: toIsoTime(startedAt),
    duration_ms: durationMs,
    status,
    error,
    reason,
  })),
});
