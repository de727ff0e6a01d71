// prepress webhooks: list, deliveries, redeliver, test, rotate.
import { setTimeout as sleep } from 'node:timers/promises';
import { PrepressError } from '../../base/errors.ts';
import { parseStoredTime } from '../../base/time.ts';
import { queueTest, rotateWebhook } from '../../delivery/webhook-actions.ts';
import { listDeliveries } from '../../store/attempts.ts';
import { findState, redeliver, redeliverFailed } from '../../store/deliveries.ts';
import type { Reader } from '../../store/store.ts';
import { listWebhooks } from '../../store/webhooks.ts';
import type { Run } from '../command.ts';
import { deliverDue } from '../deliver-due.ts';
import { withWorkspace } from '../with-workspace.ts';

export const webhooksList: Run = ({ config, report }) =>
  withWorkspace(config, async ({ store }) => {
    const webhooks = (await listWebhooks(store.reader)).map((row) => ({
      id: row.id,
      event: row.event,
      target_url: row.target_url,
      name: row.name,
      status: row.status,
      disabled_reason: row.disabled_reason,
      last_triggered_status: row.last_triggered_status,
      last_triggered_error: row.last_triggered_error,
    }));
    for (const { id, event, target_url, status, disabled_reason } of webhooks) {
      report.say(
        `${id}  ${event}  ${target_url}  ${status}${disabled_reason ? `: ${disabled_reason}` : ''}`,
      );
    }
    report.data({ webhooks });
    return 0;
  });

const LIMIT = 50;

export const webhooksDeliveries: Run = ({ config, report, options }) =>
  withWorkspace(config, async ({ store }) => {
    const limit = Number(options.limit ?? LIMIT);
    if (!Number.isInteger(limit) || limit < 1) {
      throw new PrepressError('USAGE', 'The limit is a whole number from 1.');
    }
    const failed = options.failed === true;
    const deliveries = await listDeliveries(store.reader, { failed, limit });
    for (const { id, event, state, attempts } of deliveries) {
      const last = attempts.at(-1);
      const outcome =
        last === undefined ? 'not tried yet' : (last.error ?? `status ${last.status}`);
      report.say(`${id}  ${event}  ${state}  ${attempts.length} attempts, ${outcome}`);
    }
    report.data({ deliveries });
    return 0;
  });

export const webhooksRedeliver: Run = ({ config, report, args, options }) =>
  withWorkspace(config, async (workspace) => {
    const { store, clock } = workspace;
    const [id] = args;
    const since = parseStoredTime(options.since as string | undefined);
    if ((id === undefined) === (since === null)) {
      throw new PrepressError('USAGE', 'Name a delivery, or a time with --since.');
    }
    const count = await store.write(async (writer) =>
      id === undefined
        ? redeliverFailed(writer, since ?? 0, clock.now())
        : Number(await redeliver(writer, id, clock.now())),
    );
    if (count === 0 && id !== undefined) {
      throw new PrepressError('NOT_FOUND', `There is no delivery ${id}.`);
    }
    report.say(`${count} deliveries are due again.`);
    report.data({ redelivered: count, tried: await deliverDue(workspace) });
    return 0;
  });

export const webhooksTest: Run = ({ config, report, args }) =>
  withWorkspace(config, async (workspace) => {
    const { store, clock } = workspace;
    const delivery = await store.write((writer) => queueTest(writer, args[0] ?? '', clock.now()));
    const { leftToServer } = await deliverDue(workspace);
    const state = await untilTried(store.reader, delivery, leftToServer ? SERVER_MS_MAX : 0);
    const outcomes = { done: 'arrived', failed: 'failed', pending: 'is being tried by the server' };
    report.say(`webhook.test, delivery ${delivery}, ${outcomes[state]}.`);
    report.data({ delivery, state });
    return state === 'failed' ? 1 : 0;
  });

/** An attempt lasts 15 seconds at most, and the server looks once a second. */
const SERVER_MS_MAX = 20_000;
const LOOK_MS = 100;

const untilTried = async (
  reader: Reader,
  delivery: string,
  milliseconds: number,
): Promise<'pending' | 'done' | 'failed'> => {
  const started = performance.now();
  for (;;) {
    const state = await findState(reader, delivery);
    if (state !== 'pending' || performance.now() - started >= milliseconds) return state;
    await sleep(LOOK_MS);
  }
};

export const webhooksRotate: Run = ({ config, report, args }) =>
  withWorkspace(config, async ({ store, clock, useCases }) => {
    const { secretBox } = useCases;
    const rotation = { id: args[0] ?? '', secretBox, now: clock.now() };
    const { secret, previousUntil } = await store.write((writer) =>
      rotateWebhook(writer, rotation),
    );
    const until = new Date(previousUntil).toISOString();
    report.say(`The new secret is shown this once; the old one signs too until ${until}:`);
    report.say(secret);
    report.data({ id: rotation.id, secret, previous_until: until });
    return 0;
  });
