// prepress webhooks: create, list, deliveries, redeliver, test, rotate, delete.
import { setTimeout as sleep } from 'node:timers/promises';
import { PrepressError } from '../../../base/errors.ts';
import { namedId } from '../../../base/ids.ts';
import { counted } from '../../../base/text/counted.ts';
import { findNearestName } from '../../../base/text/nearest-name.ts';
import { parseStoredTime, toIsoTime } from '../../../base/time.ts';
import type { Queryable } from '../../../publication/store/store.ts';
import {
  type ListedDelivery,
  listDeliveries,
} from '../../../publication/store/webhooks/attempts.ts';
import { findState, redeliverFailed } from '../../../publication/store/webhooks/deliveries.ts';
import {
  type ShownRequest,
  showRequest,
} from '../../../publication/store/webhooks/webhook-requests.ts';
import {
  deleteWebhook,
  findWebhook,
  listWebhooks,
  type WebhookRow,
} from '../../../publication/store/webhooks/webhooks.ts';
import { describeDeploys, type ShownDeploy } from '../../../publish/after-build/deploy-states.ts';
import { EVENT_NAMES, isEventName } from '../../../publish/webhooks/events/event-names.ts';
import {
  queueTest,
  redeliverOne,
  rotateWebhook,
} from '../../../publish/webhooks/sending/webhook-actions.ts';
import { createWebhook } from '../../../serve/admin/keys/webhooks.ts';
import { parseInput } from '../../../serve/contract/input/parse-input.ts';
import { webhookCreateInput } from '../../../serve/contract/input/webhook-input.ts';
import { deliverDue } from '../../../serve/workspace/deliver-due.ts';
import { withWorkspace } from '../../../serve/workspace/with-workspace.ts';
import { asUsage } from '../as-usage.ts';
import type { Run } from '../command.ts';
import { parseLimit } from '../parse-count.ts';
import { readWebhookOptions } from './webhook-options.ts';

export const webhooksList: Run = ({ config, report }) =>
  withWorkspace(config, async ({ store }) => {
    const webhooks = (await listWebhooks(store)).map((row) => ({
      id: row.id,
      event: row.event,
      target_url: row.target_url,
      name: row.name,
      status: row.status,
      disabled_reason: row.disabled_reason,
      last_triggered_status: row.last_triggered_status,
      last_triggered_error: row.last_triggered_error,
      request: showRequest(row),
    }));
    for (const { id, event, target_url, name, status, disabled_reason, request } of webhooks) {
      const reason = disabled_reason ? `: ${disabled_reason}` : '';
      const named = name === '' || name === null ? '' : `  "${name}"`;
      report.print(
        `${id}  ${event}  ${target_url}  ${status}${reason}${named}${ownPartsOf(request)}`,
      );
    }
    if (webhooks.length === 0) {
      report.print('There are no webhooks. "prepress webhooks create" makes one.');
    }
    report.data({ webhooks });
    return 0;
  });

const ownPartsOf = (request: ShownRequest | null): string => {
  if (request === null) return '';
  const { preset, headers, has_body } = request;
  const names = headers.length === 0 ? [] : [`headers ${headers.join(', ')}`];
  const own = [...(preset === null ? [] : [preset]), ...names, ...(has_body ? ['own body'] : [])];
  return `  (${own.join('; ')})`;
};

/** The webhook belongs to no key, so owner keys alone change it. */
export const webhooksCreate: Run = ({ config, report, options }) =>
  withWorkspace(config, async ({ useCases }) => {
    const event = String(options.event);
    if (!isEventName(event)) throw unknownEvent(event);
    const { url: target_url, name } = options;
    throwIfNoUrl(String(target_url));
    const own = readWebhookOptions(options);
    const input = { event, target_url, ...(name !== undefined && { name }), ...own };
    const created = await asUsage(optionsOf(options.body), async () =>
      createWebhook(useCases, parseInput(webhookCreateInput, input), null),
    );
    const { id, secret } = created;
    report.print(`Created webhook ${id}: ${event} to ${created.target_url}.`);
    report.print('Its secret, which is shown only once:');
    report.print(String(secret));
    report.data(created);
    return 0;
  });

/** By the properties that they alone give. */
const optionsOf = (body: unknown): Readonly<Record<string, string>> => ({
  name: '--name',
  preset: '--preset',
  token: '--token',
  headers: '--header',
  body: `--body: ${body}`,
});

const isHostName = (text: string): boolean =>
  text.includes('.') &&
  /^[a-z0-9.-]+$/i.test(text) &&
  /^[a-z]{2,24}$/i.test(text.split('.').at(-1) ?? '');

/** Of what was given a host name or a scheme alone is shown: the rest may be a token. */
const throwIfNoUrl = (text: string): void => {
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return;
  const [host = ''] = text.split(/[/:?#@]/);
  const [scheme = ''] = /^(?!https?:)[a-z]{2,12}:\/\//i.exec(text) ?? [];
  const start = isHostName(host) ? host : scheme;
  const missing = /^https?:\/\//i.test(text) ? 'one without a host' : 'one without "https://"';
  const got = `, got ${start === '' ? missing : `one that begins with "${start}"`}`;
  const sentence = `--url must be an address such as https://example.com/hook${got}.`;
  throw new PrepressError('USAGE', sentence);
};

const unknownEvent = (event: string): PrepressError => {
  const near = findNearestName(event, EVENT_NAMES);
  const meant = near === null ? '' : ` Did you mean ${near}?`;
  const sentence = `There is no event "${event}".${meant} The events are ${EVENT_NAMES.join(', ')}.`;
  return new PrepressError('USAGE', sentence);
};

export const webhooksDeliveries: Run = ({ config, report, options }) =>
  withWorkspace(config, async (workspace) => {
    const { store } = workspace;
    const limit = parseLimit(options.limit);
    const failed = options.failed === true;
    const deliveries = await listDeliveries(store, { failed, limit });
    const deploys = describeDeploys(workspace);
    const webhooks = new Map((await listWebhooks(store)).map((row) => [row.id, row.target_url]));
    for (const delivery of deliveries) {
      const { id, event, state, attempts, webhookId, createdAt, address } = delivery;
      const last = attempts.at(-1);
      const outcome =
        last === undefined ? 'not tried yet' : (last.error ?? `status ${last.status}`);
      const tried = `${counted(attempts.length, 'attempt')}, ${outcome}`;
      report.print(`${id}  ${toIsoTime(createdAt)}  ${event}  ${state}  ${tried}`);
      const target = `webhook ${webhookId} to ${withoutQuery(webhooks.get(webhookId) ?? address)}`;
      const failure =
        last === undefined
          ? heldBy(delivery, deploys)
          : last.error === null
            ? ''
            : `: ${last.reason ?? `${last.error}.`} ${nextTry(delivery)}`;
      report.print(`    ${target}${failure}`);
    }
    if (deliveries.length === 0) {
      report.print(failed ? 'No delivery has failed.' : 'There are no deliveries yet.');
    }
    report.data({ deliveries });
    return 0;
  });

/** Names the targets of `deploy` that hold a delivery up: its first attempt comes once all have its build. */
const heldBy = ({ state, generation }: ListedDelivery, deploys: readonly ShownDeploy[]): string => {
  const behind = deploys.filter((deploy) => (deploy.generation ?? 0) < generation);
  if (state !== 'pending' || behind.length === 0) return '';
  const names = behind.map(({ target }) => target).join(' and ');
  return `: It waits for build ${generation} on ${names}. "prepress status" shows these targets.`;
};

/** The query may hold a secret. */
const withoutQuery = (targetUrl: string): string => {
  const { origin, pathname, search } = new URL(targetUrl);
  return `${origin}${pathname}${search === '' ? '' : '?...'}`;
};

const nextTry = ({ state, dueAt, isEnabled }: ListedDelivery): string => {
  if (state !== 'pending') return 'It is not retried.';
  return isEnabled
    ? `Next try at ${toIsoTime(dueAt)}.`
    : 'It is retried once the webhook is enabled.';
};

export const webhooksRedeliver: Run = ({ config, report, args, options }) =>
  withWorkspace(config, async (workspace) => {
    const { store, clock } = workspace;
    const [id] = args;
    const since = parseSince(options.since);
    if ((id === undefined) === (since === null)) {
      throw new PrepressError(
        'USAGE',
        `Name either the id of a delivery or a time: --since ${SINCE_FORM}.`,
      );
    }
    const count = await store.write(async (tx) => {
      if (id === undefined) return redeliverFailed(tx, since ?? 0, clock.now());
      await redeliverOne(tx, id, clock.now());
      return 1;
    });
    if (count === 0) report.print(`No delivery has failed since ${options.since}.`);
    else report.print(`Redelivering ${counted(count, 'delivery', 'deliveries')}.`);
    report.data({ redelivered: count, tried: await deliverDue(workspace) });
    return 0;
  });

const SINCE_FORM = '2026-01-31T00:00:00Z';

const parseSince = (value: unknown): number | null => {
  if (value === undefined) return null;
  const since = parseStoredTime(String(value));
  if (since !== null) return since;
  const sentence = `--since takes a time in UTC such as ${SINCE_FORM} or 2026-01-31, got "${value}".`;
  throw new PrepressError('USAGE', sentence);
};

export const webhooksTest: Run = ({ config, report, args }) =>
  withWorkspace(config, async (workspace) => {
    const { store, clock } = workspace;
    const id = await getWebhookId(store, args[0]);
    const delivery = await store.write((tx) => queueTest(tx, id, clock.now()));
    const { leftToServer } = await deliverDue(workspace);
    const state = await untilTried(store, delivery, leftToServer ? SERVER_MS_MAX : 0);
    const outcomes = { done: 'arrived', failed: 'failed', pending: 'is being tried by the server' };
    const webhook = await findWebhook(store, id);
    report.print(`webhook.test, delivery ${delivery}, ${outcomes[state]}${whyOf(state, webhook)}.`);
    report.data({ delivery, state });
    return state === 'failed' ? 1 : 0;
  });

const whyOf = (state: string, webhook: WebhookRow | undefined): string => {
  if (state !== 'failed' || webhook === undefined) return '';
  const error = (webhook.last_triggered_error ?? '').replace(/^Request failed: |\.$/g, '');
  // A reason says what to do.
  return /^\w+$/.test(error)
    ? `: ${error}. Check the receiver at ${withoutQuery(webhook.target_url)}, then test it again`
    : `: ${error}`;
};

/** Throws NOT_FOUND. */
const getWebhookId = async (from: Queryable, id = ''): Promise<string> => {
  if ((await findWebhook(from, id)) !== undefined) return id;
  const sentence = `There is no webhook with ${namedId(id)}. "prepress webhooks list" lists them.`;
  throw new PrepressError('NOT_FOUND', sentence);
};

/** An attempt lasts 15 seconds at most, and the server looks once a second. */
const SERVER_MS_MAX = 20_000;
const LOOK_MS = 100;

const untilTried = async (
  from: Queryable,
  delivery: string,
  milliseconds: number,
): Promise<'pending' | 'done' | 'failed'> => {
  const started = performance.now();
  for (;;) {
    const state = await findState(from, delivery);
    if (state !== 'pending' || performance.now() - started >= milliseconds) return state;
    await sleep(LOOK_MS);
  }
};

export const webhooksDelete: Run = ({ config, report, args }) =>
  withWorkspace(config, async ({ store }) => {
    const id = await getWebhookId(store, args[0]);
    await store.write((tx) => deleteWebhook(tx, id));
    report.print(`Deleted webhook ${id} and its deliveries, including those that were waiting.`);
    report.data({ id });
    return 0;
  });

export const webhooksRotate: Run = ({ config, report, args }) =>
  withWorkspace(config, async ({ store, clock, useCases }) => {
    const { secretBox } = useCases;
    const id = await getWebhookId(store, args[0]);
    const rotation = { id, secretBox, now: clock.now() };
    const { secret, previousUntil } = await store.write((tx) => rotateWebhook(tx, rotation));
    const until = new Date(previousUntil).toISOString();
    report.print(
      `The new secret, which is shown only once; the old one also signs until ${until}:`,
    );
    report.print(secret);
    report.data({ id: rotation.id, secret, previous_until: until });
    return 0;
  });
