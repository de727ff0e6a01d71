// What the deliverer promises when it is killed, restarted, run twice, or put beside a bad receiver, for
// the program in test/failure/delivery-child.ts as it is or sabotaged. A promise that is broken throws.
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { queueEvents } from '../../../src/publication/store/webhooks/outbox.ts';
import { eventually } from '../../helpers/eventually.ts';
import { createOutbox, type Outbox, plannedEvent } from '../../helpers/outbox.ts';
import { createRandom, RUDE, type RudeReceiver, startRude } from '../rude.ts';

type Scene = {
  readonly outbox: Outbox;
  readonly start: (options?: ChildOptions) => Promise<ChildProcess>;
  /** Queues so many events for every webhook, due at once. */
  readonly queue: (count: number) => Promise<void>;
};

type ChildOptions = {
  /** Of one attempt. */
  readonly timeoutMs?: number;
  /** The time at which its clock stands still. */
  readonly standsAt?: number;
};

/** For receivers that hang and may be given up. */
const SHORT_MS = 400;
/**
 * Long enough for the first attempt of a program to be sent on a slow machine. Where the clock stands still, one that
 * ends before is never due again.
 */
const SENT_MS = 4_000;
/** Longer than any test. */
const LONG_MS = 3_600_000;

const openScene = async (program: string): Promise<Scene> => {
  const outbox = await createOutbox();
  let queued = 0;
  return {
    outbox,
    start: async ({ timeoutMs = LONG_MS, standsAt = '' } = {}) => {
      const args = [outbox.path, join(outbox.folder, 'secret.key'), `${timeoutMs}`, `${standsAt}`];
      const child = await startChild(program, args);
      onTestFinished(() => kill(child));
      return child;
    },
    queue: async (count) => {
      const events = Array.from({ length: count }, () => plannedEvent('post.published', queued++));
      await outbox.store.write((tx) => queueEvents(tx, events, { now: Date.now() }));
    },
  };
};

const startChild = (program: string, args: string[]): Promise<ChildProcess> =>
  new Promise((resolve, reject) => {
    const child = fork(program, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    child.once('message', () => resolve(child));
    child.once('error', reject);
  });

const kill = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
};

type KillOptions = {
  readonly kills: number;
  readonly events: number;
  readonly seed: number;
};

/** Killed again and again: every event arrives under one id and ends as a success that was given. */
export const checkKills = async (
  program: string,
  { kills, events, seed }: KillOptions,
): Promise<string> => {
  const { outbox, start, queue } = await openScene(program);
  const random = createRandom(seed);
  const good = await startRude(random, ['ok']);
  const rude = await startRude(random, RUDE);
  for (const { url } of [good, rude]) await outbox.subscribe(url);
  let child = await start({ timeoutMs: SHORT_MS });
  const each = Math.floor(events / kills);
  for (let killed = 0; killed < kills; killed += 1) {
    const calls = good.calls.length + Math.floor(random() * each);
    await queue(each);
    await eventually(() => expect(good.calls.length).toBeGreaterThanOrEqual(calls));
    await kill(child);
    child = await start({ timeoutMs: SHORT_MS });
  }
  // However slow the machine is, a program that lives on was refused something.
  const before = new Set(rude.calls.map(({ body }) => body));
  rude.manners = ['missing'];
  await queue(1);
  await eventually(() => expect(rude.calls.every(({ body }) => before.has(body))).toBe(false));
  rude.manners = ['ok'];
  await untilDone(outbox);
  const total = each * kills + 1;
  const summaries = [good, rude].map((receiver) => checkBooks(receiver, outbox, total));
  return `seed ${seed}, ${kills} kills, ${total} events: good ${summaries[0]}; rude ${summaries[1]}`;
};

/** Lets the time pass that retries wait for, until nothing waits. */
const untilDone = ({ shell }: Outbox): Promise<void> =>
  eventually(() => {
    shell.exec("UPDATE deliveries SET due_at = 0 WHERE state = 'pending' AND attempts > 0");
    const waiting = shell
      .prepare("SELECT count(*) FROM deliveries WHERE state = 'pending'")
      .pluck();
    expect(waiting.get()).toBe(0);
  });

const checkBooks = ({ audit, url }: RudeReceiver, { shell }: Outbox, total: number): string => {
  const { events, unstable, succeeded, calls, duplicates } = audit();
  expect({ events, unstable }).toEqual({ events: total, unstable: 0 });
  const done = shell
    .prepare(
      `SELECT d.id FROM deliveries d JOIN webhooks w ON w.id = d.webhook_id
       WHERE w.target_url = ? AND d.state = 'done'`,
    )
    .pluck()
    .all(url) as string[];
  expect(done).toHaveLength(total);
  expect(done.filter((id) => !succeeded.has(id))).toEqual([]);
  return `${calls} calls, ${duplicates} duplicates`;
};

/** What was in flight when the program was killed is sent by the next one, which waits for no lease to run out. */
export const checkRestart = async (program: string): Promise<void> => {
  const { outbox, start, queue } = await openScene(program);
  const random = createRandom(1);
  const good = await startRude(random, ['ok']);
  const hanging = await startRude(random, ['hang']);
  for (const { url } of [good, hanging]) await outbox.subscribe(url);
  const first = await start();
  await queue(3);
  await eventually(() => expect(hanging.calls.length).toBeGreaterThan(0));
  await kill(first);
  const held = hanging.calls.map(({ id }) => id);
  await queue(3);
  await start({ timeoutMs: SENT_MS, standsAt: Date.now() });
  await eventually(() => expect(good.audit().events).toBe(6));
  await eventually(() => {
    const again = hanging.calls.slice(held.length).map(({ id }) => id);
    expect(again).toEqual(expect.arrayContaining(held));
  });
  await eventually(() => expect(hanging.audit().events).toBe(6));
};

/** A webhook with very much to do, whose attempts never end, holds up no other. */
export const checkNeighbour = async (program: string): Promise<void> => {
  const { outbox, start, queue } = await openScene(program);
  const random = createRandom(1);
  const hanging = await startRude(random, ['hang']);
  await outbox.subscribe(hanging.url);
  await queue(100);
  await start();
  await eventually(() => expect(hanging.calls.length).toBeGreaterThan(1));
  const good = await startRude(random, ['ok']);
  await outbox.subscribe(good.url);
  await queue(1);
  await eventually(() => expect(good.audit().events).toBe(1));
};

/** Two programs on one outbox: each delivery is tried by one of them. */
export const checkTwoPrograms = async (program: string): Promise<void> => {
  const { outbox, start, queue } = await openScene(program);
  const slow = await startRude(createRandom(1), ['held']);
  await outbox.subscribe(slow.url);
  await Promise.all([start(), start()]);
  await queue(20);
  // Each program tries two at once.
  await eventually(() => expect(slow.calls).toHaveLength(4));
  slow.manners = ['ok'];
  slow.release();
  await untilDone(outbox);
  // Whoever takes this one has looked at all others again.
  await queue(1);
  await eventually(() => expect(slow.audit().events).toBe(21));
  expect(slow.audit()).toMatchObject({ calls: 21, unstable: 0 });
};
