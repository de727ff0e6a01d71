// SIGKILL at any moment: every event arrives at least once, under one id, at a rude receiver and at a good
// one beside it. PREPRESS_KILLS and PREPRESS_EVENTS make the run as long as wanted.
import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import { expect, onTestFinished, test, vi } from 'vitest';
import { queueEvents } from '../../src/store/outbox.ts';
import { createOutbox, plannedEvent } from '../helpers/outbox.ts';
import { type Answer, ok, type Receiver, startReceiver } from '../helpers/receiver.ts';

const KILLS = Number(process.env.PREPRESS_KILLS ?? 12);
const EVENTS = Number(process.env.PREPRESS_EVENTS ?? 120);
const SEED = Number(process.env.PREPRESS_SEED ?? Date.now() % 1_000_000);

/** A small generator of numbers in [0, 1): the same seed, the same run. */
const createRandom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

const RUDE: readonly Answer[] = [
  ok,
  (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
  (response) => response.writeHead(404).end(),
  (response) => response.writeHead(429, { 'retry-after': '1' }).end(),
  (response) =>
    response.writeHead(429, { 'retry-after': new Date(Date.now() + 2_000).toUTCString() }).end(),
  (response) => response.writeHead(503).end('x'.repeat(100_000)),
  () => {},
  (response) => response.writeHead(200).write('drip'),
  (_response, _received, request) => request.socket.resetAndDestroy(),
];

const bundleChild = async (): Promise<string> => {
  const folder = join(import.meta.dirname, '../../node_modules/.cache/prepress-tests');
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, `delivery-child-${process.pid}-${Date.now()}.mjs`);
  await build({
    entryPoints: [join(import.meta.dirname, 'delivery-child.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    loader: { '.sql': 'text' },
  });
  onTestFinished(() => rmSync(outfile, { force: true }));
  return outfile;
};

const startChild = (program: string, args: string[]): Promise<ChildProcess> =>
  new Promise((resolve, reject) => {
    const child = fork(program, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    child.once('message', () => resolve(child));
    child.once('error', reject);
  });

const kill = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });

/** Every event under one id only, and how many requests were more than needed. */
const audit = ({ received }: Receiver): { events: number; duplicates: number } => {
  const ids = new Map<string, Set<string>>();
  for (const { body, headers } of received) {
    ids.set(body, (ids.get(body) ?? new Set()).add(headers['webhook-id'] ?? ''));
  }
  for (const set of ids.values()) expect(set.size).toBe(1);
  return { events: ids.size, duplicates: received.length - ids.size };
};

test('no event is lost however often the program is killed', { timeout: 600_000 }, async () => {
  const outbox = await createOutbox();
  const random = createRandom(SEED);
  const good = await startReceiver();
  const rude = await startReceiver((...args) =>
    RUDE[Math.floor(random() * RUDE.length)]?.(...args),
  );
  await outbox.subscribe(good.url);
  await outbox.subscribe(rude.url);
  const program = await bundleChild();
  const args = [outbox.path, join(outbox.folder, 'secret.key')];
  let child = await startChild(program, args);
  onTestFinished(() => kill(child));
  let queued = 0;
  for (let kills = 0; kills < KILLS; kills += 1) {
    const share = Math.ceil((EVENTS - queued) / (KILLS - kills));
    const events = Array.from({ length: share }, () => plannedEvent('post.published', queued++));
    await outbox.store.write((writer) => queueEvents(writer, events, { now: Date.now() }));
    await sleep(50 + random() * 450);
    await kill(child);
    child = await startChild(program, args);
  }
  await vi.waitFor(
    () => {
      expect(audit(good).events).toBe(EVENTS);
      expect(audit(rude).events).toBe(EVENTS);
    },
    { timeout: 300_000, interval: 200 },
  );
  console.log(
    `seed ${SEED}: duplicates: good ${audit(good).duplicates}, rude ${audit(rude).duplicates}`,
  );
});

test('due deliveries go out within five seconds of a restart, and new ones within two', async () => {
  const outbox = await createOutbox();
  const good = await startReceiver();
  await outbox.subscribe(good.url);
  const program = await bundleChild();
  const args = [outbox.path, join(outbox.folder, 'secret.key')];
  const hang = await startReceiver(() => {});
  await outbox.subscribe(hang.url);
  const queue = async (numbers: readonly number[]): Promise<void> => {
    const events = numbers.map((number) => plannedEvent('post.published', number));
    await outbox.store.write((writer) => queueEvents(writer, events, { now: Date.now() }));
  };
  const first = await startChild(program, args);
  await queue([1, 2, 3]);
  await vi.waitFor(() => expect(hang.received.length).toBeGreaterThan(0), {
    timeout: 5_000,
    interval: 10,
  });
  await kill(first);
  const held = hang.received.map(({ body }) => body);
  await queue([4, 5, 6]);
  const restarted = Date.now();
  const second = await startChild(program, args);
  onTestFinished(() => kill(second));
  await vi.waitFor(() => expect(audit(good).events).toBe(6), { timeout: 5_000 });
  await vi.waitFor(() => expect(audit(hang).events).toBe(6), { timeout: 5_000 });
  const again = hang.received.slice(held.length).map(({ body }) => body);
  expect(again).toEqual(expect.arrayContaining(held));
  expect(Date.now() - restarted).toBeLessThan(5_000);
  const due = Date.now();
  await queue([7]);
  await vi.waitFor(() => expect(audit(good).events).toBe(7), { timeout: 5_000, interval: 20 });
  expect(Date.now() - due).toBeLessThan(2_000);
});
