// Random edits of a Ghost database while the program follows it and is killed at random moments. After each it
// settles on what a clean import and build give, and no event is lost: what was sent of each record leads from what
// was shown at the start to what is shown at the end.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import type { SqliteConnection } from '../../../src/base/sqlite/driver.ts';
import { importSource } from '../../../src/publication/import/import-source.ts';
import { openSource } from '../../../src/publication/sources/open-source.ts';
import { expectTree, SITE } from '../../helpers/clean-tree.ts';
import { eventually } from '../../helpers/eventually.ts';
import { editGhost } from '../../helpers/ghost-edits.ts';
import { type GhostShell, OF_THE_PAST } from '../../helpers/ghost-shell.ts';
import { openPublication } from '../../helpers/publication.ts';
import { startReceiver } from '../../helpers/receiver.ts';
import { CONTENT, openShell, RECEIVER_ALLOWED } from '../../helpers/serve.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { buildInto, readTree, testConfig } from '../../helpers/tree.ts';
import { mustRun, startProgram } from '../run-program.ts';

export type FollowRun = {
  readonly program: string;
  /** What is followed, and a connection that edits it. */
  readonly address: string;
  readonly ghost: GhostShell;
  readonly edits: number;
  readonly kills: number;
  readonly random: () => number;
};

const EVENTS = ['post', 'page'].flatMap((type) =>
  ['published', 'unpublished'].map((event) => `${type}.${event}`),
);
const MEMBER_EVENTS = ['member.added', 'member.deleted'];

/** Between an edit and the next, at most; about as long as a look and a publish take. It chooses moments, nothing else. */
const PAUSE_MS_MAX = 600;

/** Of what the program printed, for a failure. */
const SAID_MAX = 4_000;

const ENVIRONMENT = { ...RECEIVER_ALLOWED, PREPRESS_FOLLOW_SECONDS: '1' };

export const followThroughKills = async (run: FollowRun): Promise<{ events: number }> => {
  const { program, address, ghost, random } = run;
  const folder = temporaryFolder();
  const command = (...args: string[]): Promise<string> =>
    mustRun({ program, folder, args, environment: ENVIRONMENT });
  await command('follow', address, '--once', '--site-url', SITE);
  const receiver = await startReceiver();
  for (const event of [...EVENTS, ...MEMBER_EVENTS]) {
    await command('webhooks', 'create', '--event', event, '--url', `${receiver.url}/${event}`);
  }
  const shell = openShell(folder);
  const before = shownIn(shell);
  const running = { child: null as ChildProcess | null, said: '' };
  const start = (): void => {
    const child = startProgram({
      program,
      folder,
      args: ['follow', address],
      environment: ENVIRONMENT,
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text: unknown) => {
        running.said = `${running.said}${text}`.slice(-SAID_MAX);
      });
    }
    running.child = child;
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const { child } = running;
    running.child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    child.kill(signal);
    await closed;
  };
  onTestFinished(() => end('SIGKILL'));
  const settle = async (made: readonly string[]): Promise<void> => {
    const clean = await importClean(address);
    await eventually(() => expectTree(join(folder, CONTENT), clean)).catch((error: unknown) => {
      const sentence = `not settled after ${made.join(', ')}`;
      throw new Error(`${sentence}; the program said:\n${running.said}`, { cause: error });
    });
  };
  await ghost.commit([OF_THE_PAST]);
  start();
  const every = Math.max(1, Math.floor(run.edits / run.kills));
  let made: string[] = [];
  for (let edit = 1; edit <= run.edits; edit += 1) {
    made.push(await editGhost(ghost, random));
    await sleep(random() * PAUSE_MS_MAX);
    if (edit % every !== 0) continue;
    await end('SIGKILL');
    start();
    await settle(made);
    made = [];
  }
  await settle(made);
  await eventually(() => {
    const open = "SELECT count(*) FROM deliveries WHERE state != 'done'";
    expect(shell.prepare(open).pluck().get()).toBe(0);
  });
  await end('SIGTERM');
  expectEvents(shell, before);
  const queued = shell.prepare('SELECT count(*) FROM events').pluck().get() as number;
  expect(receiver.received.length).toBeGreaterThanOrEqual(queued);
  return { events: queued };
};

/** The tree of an import into an empty publication. */
const importClean = async (address: string): Promise<ReadonlyMap<string, string>> => {
  const source = await openSource(address);
  const publication = await openPublication(temporaryFolder());
  try {
    await importSource(publication.store, source, { siteUrl: SITE });
    await buildInto(publication.store, publication.folder, {
      config: testConfig({ siteUrl: SITE }),
    });
    return readTree(join(publication.folder, 'content'));
  } finally {
    await source.close();
    await publication.close();
  }
};

type Shown = { readonly posts: ReadonlySet<string>; readonly members: ReadonlySet<string> };

const shownIn = (shell: SqliteConnection): Shown => {
  const list = (sql: string): Set<string> => new Set(shell.prepare(sql).pluck().all() as string[]);
  return {
    posts: list(
      `SELECT p.id FROM posts p LEFT JOIN posts_meta m ON m.post_id = p.id
       WHERE p.status = 'published' AND coalesce(m.email_only, 0) = 0`,
    ),
    members: list('SELECT id FROM members'),
  };
};

/** Each flip of a record was told, in turn. */
const expectEvents = (shell: SqliteConnection, before: Shown): void => {
  const after = shownIn(shell);
  const rows = shell
    .prepare('SELECT event, record_id AS id FROM events ORDER BY generation, rowid')
    .all() as { event: string; id: string }[];
  const flips = new Map<string, string[]>();
  for (const { event, id } of rows) {
    const [kind, what = ''] = event.split('.');
    const key = `${kind === 'member' ? 'members' : 'posts'} ${id}`;
    flips.set(key, [...(flips.get(key) ?? []), what]);
  }
  for (const kind of ['posts', 'members'] as const) {
    const [comes, goes] = kind === 'posts' ? ['published', 'unpublished'] : ['added', 'deleted'];
    for (const id of new Set([...before[kind], ...after[kind]])) {
      let isThere = before[kind].has(id);
      for (const what of flips.get(`${kind} ${id}`) ?? []) {
        expect(what, `${kind} ${id}`).toBe(isThere ? goes : comes);
        isThere = !isThere;
      }
      expect(isThere, `${kind} ${id}`).toBe(after[kind].has(id));
    }
  }
};
