// SIGKILL at a chosen system call of a command, and what must hold after it. Each check takes a program,
// which may be a sabotaged one, kills it again and again, and throws at the first thing that is lost.
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { SqliteConnection } from '../../../src/base/sqlite/driver.ts';
import { openManifest } from '../../../src/publish/manifest/open-manifest.ts';
import { cleanTree, expectTree, SITE } from '../../helpers/clean-tree.ts';
import { eventually } from '../../helpers/eventually.ts';
import { CONTENT, DATABASE, openShell } from '../../helpers/serve.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { parseFile, readTree } from '../../helpers/tree.ts';
import { checkTree } from '../../helpers/tree-reader.ts';
import { createRandom, startRude } from '../rude.ts';
import { mustRun, type Start } from '../run-program.ts';
import { startServer } from '../server.ts';
import { inLanes, sized } from '../size.ts';
import { createBuilt, createSmallPublication, editBackOrForth } from '../small-publication.ts';
import { type Call, listMutations, runKilledAt } from '../strace.ts';

export type KillOptions = {
  /** Of so many calls, one is the last. */
  readonly every: number;
  /** Where to begin, as a share of all calls. */
  readonly from?: number;
};

export type KillCount = { readonly calls: number; readonly kills: number };

const LANES = sized({ short: 1, long: 2 });
/** One of each. */
const LANE_NUMBERS = Array.from({ length: LANES }, (_, at) => at);

const choose = (calls: readonly Call[], { every, from = 0 }: KillOptions): Call[] =>
  calls.slice(Math.floor(calls.length * from)).filter((_, at) => at % every === every - 1);

const isWholeTree = (content: string): void => expect(checkTree(content)).toEqual([]);

const removeBuild = (folder: string): void => {
  rmSync(join(folder, 'output'), { recursive: true, force: true });
  for (const end of ['', '-wal', '-shm'])
    rmSync(join(folder, `data/build.db${end}`), { force: true });
};

/** Builds into an absent tree. */
export const killFirstBuilds = async (
  program: string,
  options: KillOptions,
): Promise<KillCount> => {
  const folders = LANE_NUMBERS.map(() => temporaryFolder());
  let kills = 0;
  const [first = ''] = folders;
  for (const folder of folders) await createSmallPublication(program, folder);
  const startIn = (folder: string): Start => ({ program, folder, args: ['build'] });
  const calls = await listMutations(startIn(first));
  const clean = await Promise.all(folders.map((folder) => cleanTree(openShell(folder))));
  await inLanes(choose(calls, options), LANES, async (call, lane) => {
    const folder = folders[lane] ?? '';
    const content = join(folder, CONTENT);
    removeBuild(folder);
    const { signal } = await runKilledAt(startIn(folder), call);
    kills += Number(signal === 'SIGKILL');
    isWholeTree(content);
    await mustRun(startIn(folder));
    expectTree(content, clean[lane] ?? new Map());
  });
  return { calls: calls.length, kills };
};

type EditScene = { readonly folder: string; readonly shell: SqliteConnection; round: number };

const createEditScenes = (program: string): Promise<EditScene[]> =>
  Promise.all(LANE_NUMBERS.map(async () => ({ ...(await createBuilt(program)), round: 0 })));

/** Builds of edits over a tree that stands; files of both states are never missing. */
export const killIncrementalBuilds = async (
  program: string,
  options: KillOptions,
): Promise<KillCount> => {
  const scenes = await createEditScenes(program);
  const startIn = ({ folder }: EditScene): Start => ({ program, folder, args: ['build'] });
  let calls: Call[] = [];
  const clean: ReadonlyMap<string, string>[][] = [];
  for (const scene of scenes) {
    const trees: ReadonlyMap<string, string>[] = [];
    for (const round of [0, 1]) {
      editBackOrForth(scene.shell, round);
      const listed = await listMutations(startIn(scene));
      if (round === 0) calls = listed;
      trees.push(await cleanTree(scene.shell));
    }
    clean.push(trees);
  }
  let kills = 0;
  await inLanes(choose(calls, options), LANES, async (call, lane) => {
    const scene = scenes[lane] as EditScene;
    const content = join(scene.folder, CONTENT);
    const [forth, back] = clean[lane] ?? [];
    const goal = (scene.round % 2 === 0 ? forth : back) ?? new Map();
    editBackOrForth(scene.shell, scene.round);
    scene.round += 1;
    const { signal } = await runKilledAt(startIn(scene), call);
    kills += Number(signal === 'SIGKILL');
    isWholeTree(content);
    const lasting = [...goal.keys()].filter((name) => forth?.has(name) && back?.has(name));
    expect(lasting.filter((name) => !existsSync(join(content, name)))).toEqual([]);
    await mustRun(startIn(scene));
    expectTree(content, goal);
  });
  return { calls: calls.length, kills };
};

/**
 * Builds of edits with copies for hosts without rules: afterwards the whole output, hidden folders too, is as
 * if nothing had happened, and data/changes.json tells about the newest build.
 */
export const killBuildsWithCopies = async (
  program: string,
  options: KillOptions,
): Promise<KillCount> => {
  const scenes = await createEditScenes(program);
  const environment = { PREPRESS_PROFILE: 'plain-files', PREPRESS_HOSTS: 'plain-files' };
  const startIn = ({ folder }: EditScene): Start => ({
    program,
    folder,
    args: ['build'],
    environment,
  });
  const outputOf = ({ folder }: EditScene): string => join(folder, 'output');
  let calls: Call[] = [];
  const goals: ReadonlyMap<string, string>[][] = [];
  for (const scene of scenes) {
    await mustRun(startIn(scene));
    const trees: ReadonlyMap<string, string>[] = [];
    for (const round of [0, 1]) {
      editBackOrForth(scene.shell, round);
      calls = await listMutations(startIn(scene));
      trees.push(readTree(outputOf(scene)));
    }
    goals.push(trees);
  }
  let kills = 0;
  await inLanes(choose(calls, options), LANES, async (call, lane) => {
    const scene = scenes[lane] as EditScene;
    editBackOrForth(scene.shell, scene.round);
    const { signal } = await runKilledAt(startIn(scene), call);
    kills += Number(signal === 'SIGKILL');
    await mustRun(startIn(scene));
    expectTree(outputOf(scene), goals[lane]?.[scene.round % 2] ?? new Map());
    scene.round += 1;
    expect(toldGeneration(scene)).toBe(builtGeneration(scene));
  });
  return { calls: calls.length, kills };
};

const toldGeneration = ({ folder }: EditScene): unknown =>
  parseFile(join(folder, 'data'), 'changes.json').generation;

const builtGeneration = ({ folder }: EditScene): number => {
  const manifest = openManifest(join(folder, 'data/build.db'));
  const generation = manifest.generation();
  manifest.close();
  return generation;
};

const EXPORT = join(import.meta.dirname, '../../fixtures/ghost-export.json');

/** Imports: the publication is changed whole or not at all, and importing again completes it. */
export const killImports = async (program: string, options: KillOptions): Promise<KillCount> => {
  const create = async (): Promise<string> => {
    const folder = temporaryFolder();
    await mustRun({ program, folder, args: ['init', '--empty', '--site-url', SITE] });
    return folder;
  };
  const startIn = (folder: string): Start => ({
    program,
    folder,
    args: ['import', EXPORT, '--site-url', SITE],
  });
  const build = (folder: string) => mustRun({ program, folder, args: ['build'] });
  const empty = await create();
  const copy = (): string => {
    const folder = temporaryFolder();
    cpSync(empty, folder, { recursive: true });
    return folder;
  };
  const whole = copy();
  const before = countRows(openShell(whole));
  const calls = await listMutations(startIn(whole));
  await build(whole);
  const shell = openShell(whole);
  const clean = await cleanTree(shell);
  const after = countRows(shell);
  let kills = 0;
  await inLanes(choose(calls, options), LANES, async (call) => {
    const folder = copy();
    const { signal } = await runKilledAt(startIn(folder), call);
    kills += Number(signal === 'SIGKILL');
    expect([before, after]).toContain(countRows(openShell(folder)));
    await mustRun(startIn(folder));
    await build(folder);
    expectTree(join(folder, CONTENT), clean);
  });
  return { calls: calls.length, kills };
};

const IMPORTED = [
  'posts',
  'posts_meta',
  'posts_tags',
  'posts_authors',
  'tags',
  'users',
  'settings',
];

const countRows = (shell: SqliteConnection): string =>
  IMPORTED.map((table) =>
    String(shell.prepare(`SELECT count(*) FROM ${table}`).pluck().get()),
  ).join(' ');

const ALLOWED = { PREPRESS_WEBHOOK_ALLOW: '127.0.0.0/8' };

/** Publishes with a webhook: after a restart every publish that was committed has been announced. */
export const killOutboxes = async (program: string, options: KillOptions): Promise<KillCount> => {
  const lanes = await Promise.all(LANE_NUMBERS.map((at) => createOutboxLane(program, at)));
  const startIn = (folder: string, draft: number): Start => {
    const args = ['publish', `draft-${draft}`];
    return { program, folder, args, environment: ALLOWED };
  };
  const calls = await listMutations(startIn(lanes[0]?.folder ?? '', 0));
  for (const { folder } of lanes.slice(1)) await mustRun(startIn(folder, 0));
  let kills = 0;
  await inLanes(choose(calls, options), LANES, async (call, at) => {
    const lane = lanes[at] as OutboxLane;
    lane.draft += 1;
    const { signal } = await runKilledAt(startIn(lane.folder, lane.draft), call);
    kills += Number(signal === 'SIGKILL');
    isWholeTree(join(lane.folder, CONTENT));
    const server = await startServer(lane.folder, { program });
    try {
      await expectAnnounced(lane);
    } finally {
      await server.end();
    }
    expectTree(join(lane.folder, CONTENT), await cleanTree(lane.shell));
  });
  return { calls: calls.length, kills };
};

type OutboxLane = {
  readonly folder: string;
  readonly shell: SqliteConnection;
  readonly receiver: Awaited<ReturnType<typeof startRude>>;
  draft: number;
};

const DRAFTS = 400;

const createOutboxLane = async (program: string, seed: number): Promise<OutboxLane> => {
  const folder = temporaryFolder();
  await createSmallPublication(program, folder, { posts: 2, drafts: DRAFTS });
  const receiver = await startRude(createRandom(seed), ['ok']);
  const server = await startServer(folder, { program });
  onTestFinished(() => server.end('SIGKILL'));
  const webhook = { event: 'post.published', target_url: receiver.url };
  await server.admin('POST', '/webhooks/', { webhooks: [webhook] });
  await server.end();
  expect(existsSync(join(folder, DATABASE))).toBe(true);
  return { folder, shell: openShell(folder), receiver, draft: 0 };
};

/** Every committed publish came, each under one id, and nothing waits any more. */
const expectAnnounced = async ({ shell, receiver }: OutboxLane): Promise<void> => {
  const published = shell
    .prepare("SELECT count(*) FROM posts WHERE slug LIKE 'draft-%' AND status = 'published'")
    .pluck();
  const waiting = shell.prepare("SELECT count(*) FROM deliveries WHERE state = 'pending'").pluck();
  await eventually(() => {
    const { events, unstable } = receiver.audit();
    expect({ events, unstable, waiting: waiting.get() }).toEqual({
      events: published.get(),
      unstable: 0,
      waiting: 0,
    });
  });
};
