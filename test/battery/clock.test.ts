// The server's clock jumps while it works (libfaketime), a day forwards and back, or to 1970: nothing is lost, nothing
// storms, nothing is withdrawn. `apt-get install faketime` provides the library; without it these tests are skipped.
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { SqliteConnection } from '../../src/base/sqlite/driver.ts';
import { eventually } from '../helpers/eventually.ts';
import { insertRow } from '../helpers/publication.ts';
import { prepress } from '../helpers/run-prepress.ts';
import { copyPublication, openShell } from '../helpers/serve.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { parseFile } from '../helpers/tree-files.ts';
import { COMMAND } from './program.ts';
import { createRandom, type MannerName, type RudeReceiver, startRude } from './rude.ts';
import { type Server, startServer } from './server.ts';

const findLibrary = (): string | undefined =>
  ['/usr/lib', '/usr/local/lib']
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name, 'faketime')))
    .map((folder) => join(folder, 'libfaketimeMT.so.1'))
    .find((path) => existsSync(path));

const library = findLibrary();
const reason = library === undefined ? ' (skipped: needs apt-get install faketime)' : '';

const suite = suiteFolder();
beforeAll(() => prepress(suite.path, ['init', '--empty', '--site-url', 'https://site.test']));
afterAll(suite.remove);

type Scene = {
  readonly shell: SqliteConnection;
  /** Sets the server's clock to so many seconds beside the true one. */
  readonly jump: (seconds: number) => void;
  readonly receivers: Readonly<Record<'good' | 'failing' | 'hanging', RudeReceiver>>;
};

const MANNERS = { good: 'ok', failing: 'broken', hanging: 'hang' } as const satisfies Record<
  string,
  MannerName
>;

type Jumping = Pick<Scene, 'jump'> & { readonly server: Server };

const startJumping = async (folder: string, program: string): Promise<Jumping> => {
  const file = join(folder, 'clock');
  const jump = (seconds: number) => writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}\n`);
  jump(0);
  const environment = {
    LD_PRELOAD: library ?? '',
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  };
  const server = await startServer(folder, { program, environment });
  onTestFinished(() => server.end('SIGKILL'));
  return { server, jump };
};

const openScene = async (program: string): Promise<Scene> => {
  const folder = copyPublication(suite.path);
  const { server, jump } = await startJumping(folder, program);
  const open = async (name: keyof typeof MANNERS, event: string): Promise<RudeReceiver> => {
    const receiver = await startRude(createRandom(1), [MANNERS[name]]);
    const webhook = { event, target_url: receiver.url };
    await server.admin('POST', '/webhooks/', { webhooks: [webhook] });
    return receiver;
  };
  const receivers = {
    good: await open('good', 'post.added'),
    failing: await open('failing', 'post.added'),
    // One delivery only, so that a slot of its webhook stays free for a second claim of it.
    hanging: await open('hanging', 'member.added'),
  };
  return { shell: openShell(folder), jump, receivers };
};

const DAY = 86_400;
const SAVES = 5;

const callsOf = ({ calls }: RudeReceiver): number => calls.length;
const untilCalls = (receiver: RudeReceiver, count: number): Promise<void> =>
  eventually(() => expect(callsOf(receiver)).toBeGreaterThanOrEqual(count));

/** A first attempt and one retry of each: the next step is five minutes away. */
const expectNoStorm = ({ calls }: RudeReceiver): void => {
  const attempts = calls.map(({ id }) => calls.filter((one) => one.id === id).length);
  expect(Math.max(...attempts)).toBeLessThanOrEqual(2);
};

const PROMPTS = 2;

/**
 * New events reach the good receiver, whatever the clock did: nothing waits for a day. Each was found by a look for all that
 * is due.
 */
const checkPrompt = async ({ shell, receivers: { good } }: Scene): Promise<void> => {
  for (let prompts = 0; prompts < PROMPTS; prompts += 1) {
    const before = callsOf(good);
    insertRow(shell, 'posts', {});
    await untilCalls(good, before + 1);
  }
};

const checkJumps = async (program: string): Promise<void> => {
  const scene = await openScene(program);
  const { shell, jump, receivers } = scene;
  const { good, failing, hanging } = receivers;
  shell.transaction(() => {
    for (let saved = 0; saved < SAVES; saved += 1) insertRow(shell, 'posts', {});
    insertRow(shell, 'members', {});
  })();
  await untilCalls(good, SAVES);
  await untilCalls(failing, SAVES);
  await untilCalls(hanging, 1);
  // A first attempt that is written down after the jump would wait its five seconds from there.
  const waiting = shell.prepare('SELECT count(*) FROM deliveries WHERE wait_ms > 0').pluck();
  await eventually(() => expect(waiting.get()).toBe(SAVES));

  jump(DAY);
  await untilCalls(failing, 2 * SAVES);
  await checkPrompt(scene);
  expectNoStorm(failing);
  expect(callsOf(hanging)).toBe(1);

  jump(-DAY);
  await checkPrompt(scene);
  expectNoStorm(failing);

  failing.manners = ['ok'];
  jump(-DAY + 400);
  await eventually(() => expect(failing.audit().succeeded.size).toBe(SAVES + 2 * PROMPTS));
  expect(good.audit()).toMatchObject({ events: SAVES + 2 * PROMPTS, duplicates: 0, unstable: 0 });
};

const YEARS = 56 * 365 * DAY;

/** What is shown by the database, by the output, and by the folder that it is deployed to. */
const shownIn = (folder: string, shell: SqliteConnection): unknown[] => [
  shell.prepare("SELECT count(*) FROM posts WHERE status = 'published'").pluck().get(),
  ...['output', 'copy'].map((name) => readdirSync(join(folder, name, 'content/posts/slug')).length),
];

const checkBoot = async (program: string): Promise<void> => {
  const folder = copyPublication(suite.path);
  writeFileSync(join(folder, 'prepress.config.json'), JSON.stringify({ deploy: ['dir:copy'] }));
  const shell = openShell(folder);
  const post = { status: 'published', published_at: '2020-01-01T00:00:00.000Z' };
  for (const slug of ['a', 'b', 'c']) insertRow(shell, 'posts', { ...post, slug });
  const { server, jump } = await startJumping(folder, program);
  const receiver = await startRude(createRandom(1), ['ok']);
  for (const event of ['post.unpublished', 'post.edited', 'site.changed']) {
    const webhook = { event, target_url: receiver.url };
    await server.admin('POST', '/webhooks/', { webhooks: [webhook] });
  }
  await eventually(() => expect(shownIn(folder, shell)).toEqual([3, 3, 3]));
  const behind = async (): Promise<string | undefined> =>
    ((await (await fetch(`${server.url}/health`)).json()) as { clock?: string }).clock;
  expect(await behind()).toBeUndefined();

  jump(-YEARS);
  expect(await behind()).toMatch(/^The clock says 19[67]\d-/);
  await eventually(() => expect(server.log()).toContain('scheduled posts are not published'));
  shell.exec("UPDATE posts SET title = 'Edited' WHERE slug = 'a'");
  await eventually(() =>
    expect(parseFile(join(folder, 'copy/content'), 'posts/slug/a/index.json').posts).toMatchObject([
      { title: 'Edited' },
    ]),
  );
  await untilCalls(receiver, 2);
  expect(shownIn(folder, shell)).toEqual([3, 3, 3]);
  const events = shell.prepare('SELECT event FROM events ORDER BY rowid').pluck();
  expect(events.all()).toEqual(['post.edited', 'site.changed']);

  jump(0);
  expect(await behind()).toBeUndefined();
  expect(server.log().split('scheduled posts are not published')).toHaveLength(2);
};

/** The receiver fails until the clock is back. */
const checkAhead = async (program: string): Promise<void> => {
  const folder = copyPublication(suite.path);
  writeFileSync(join(folder, 'prepress.config.json'), JSON.stringify({ deploy: ['dir:copy'] }));
  const shell = openShell(folder);
  const { server, jump } = await startJumping(folder, program);
  const receiver = await startRude(createRandom(1), ['broken']);
  const webhook = { event: 'post.added', target_url: receiver.url };
  await server.admin('POST', '/webhooks/', { webhooks: [webhook] });
  insertRow(shell, 'posts', { status: 'published', published_at: '2020-01-01T00:00:00.000Z' });
  await untilCalls(receiver, 1);
  jump(14 * 365 * DAY);
  await untilCalls(receiver, 2);
  insertRow(shell, 'posts', { status: 'published', published_at: '2030-01-01T00:00:00.000Z' });
  await untilCalls(receiver, 3);
  await eventually(() => expect(shownIn(folder, shell)).toEqual([2, 2, 2]));

  jump(0);
  receiver.manners = ['ok'];
  insertRow(shell, 'posts', { status: 'published', published_at: '2020-01-01T00:00:00.000Z' });
  await eventually(() => expect(receiver.audit().succeeded.size).toBeGreaterThan(0));
  jump(400);
  await eventually(() => expect(receiver.audit().succeeded.size).toBe(3));
  await eventually(() => expect(shownIn(folder, shell)).toEqual([3, 3, 3]));
  expect(shell.prepare('SELECT status FROM webhooks').pluck().all()).toEqual(['enabled']);
  expect(server.log()).toContain('prepress clock accept');
};

describe.skipIf(library === undefined)(`clock jumps${reason}`, () => {
  test('of a day neither lose nor storm', () => checkJumps(COMMAND));
  test('years ahead, and back, drop no delivery and disable no webhook', () => checkAhead(COMMAND));
  test('to 1970 withdraw nothing, here and where it is deployed', () => checkBoot(COMMAND));
});
