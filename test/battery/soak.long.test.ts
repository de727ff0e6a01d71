// A server at work for a long time: random edits, builds, deliveries and readers, 30 minutes in the long
// form. What it holds levels off: memory, descriptors, and the files of its database. A month, after which
// deliveries are forgotten, takes five seconds here.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { SqliteConnection } from '../../src/base/sqlite/driver.ts';
import { cleanTree, expectTree } from '../helpers/clean-tree.ts';
import { eventually } from '../helpers/eventually.ts';
import { createRandom, SEED } from '../helpers/random.ts';
import { CONTENT, DATABASE, openShell } from '../helpers/serve.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { startReader } from '../helpers/tree-reader.ts';
import type { Edit } from '../sabotage/row.ts';
import { bundleQuickEdited } from './program.ts';
import { startRude } from './rude.ts';
import { mustRun } from './run-program.ts';
import { type Server, startServer } from './server.ts';
import { sayRow, sized } from './size.ts';
import { createSmallPublication, editBackOrForth } from './small-publication.ts';

const SECONDS = sized({ short: 30, long: 1_800 });
const SAMPLES = 24;
const MIB = 1024 * 1024;

const SHORT_MONTH: readonly Edit[] = [
  {
    file: 'src/base/limits.ts',
    replace: 'ATTEMPTS_KEPT_MS = 30 * 24 * 3_600_000;',
    by: 'ATTEMPTS_KEPT_MS = 5_000;',
  },
  {
    file: 'src/publish/webhooks/sending/housekeeping.ts',
    replace: 'PURGE_EVERY_MS = 3_600_000;',
    by: 'PURGE_EVERY_MS = 1_000;',
  },
];

type Sample = {
  readonly memory: number;
  readonly descriptors: number;
  readonly database: number;
  /**
   * Milliseconds since the end of the oldest delivery that is kept. Not their number: that follows the speed of a
   * machine on which other tests come to their ends.
   */
  readonly ended: number;
};

const takeSample = (folder: string, { pid }: Server, shell: SqliteConnection): Sample => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const sizes = ['', '-wal'].map(
    (end) => statSync(join(folder, `${DATABASE}${end}`), { throwIfNoEntry: false })?.size ?? 0,
  );
  const oldest = shell
    .prepare("SELECT min(finished_at) FROM deliveries WHERE state <> 'pending'")
    .pluck()
    .get() as number | null;
  return {
    memory: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    database: sizes.reduce((sum, size) => sum + size, 0),
    ended: Date.now() - (oldest ?? Date.now()),
  };
};

type Soak = { readonly samples: readonly Sample[]; readonly edits: number; readonly posts: number };

const soak = async (program: string, seconds: number): Promise<Soak> => {
  const folder = temporaryFolder();
  await createSmallPublication(program, folder, { posts: 12, drafts: 20 });
  const shell = openShell(folder);
  const random = createRandom(SEED);
  const receiver = await startRude(random, ['ok', 'ok', 'ok', 'broken', 'reset', 'missing']);
  const server = await startServer(folder, { program });
  onTestFinished(() => server.end('SIGKILL'));
  for (const event of ['site.changed', 'post.published', 'post.edited']) {
    const webhook = { event, target_url: receiver.url };
    await server.admin('POST', '/webhooks/', { webhooks: [webhook] });
  }
  const content = join(folder, CONTENT);
  const reader = startReader(content, { random });
  const samples: Sample[] = [];
  let edits = 0;
  const ending = Date.now() + seconds * 1_000;
  let nextSample = 0;
  while (Date.now() < ending) {
    editAtRandom(shell, random, edits);
    edits += 1;
    // Answers are read, as any client would.
    await fetch(`${server.url}/content/posts/`).then((response) => response.arrayBuffer());
    await sleep(random() * 120);
    if (Date.now() >= nextSample) {
      samples.push(takeSample(folder, server, shell));
      nextSample = Date.now() + (seconds * 1_000) / SAMPLES;
    }
  }
  const clean = await cleanTree(shell);
  await eventually(() => expectTree(content, clean), 200);
  await reader.close();
  expect(reader.faults).toEqual([]);
  const verify = () => mustRun({ program, folder, args: ['verify'] });
  // The last edit may alter no file; that it was looked at is known some moments later.
  await eventually(verify, 500);
  await server.end();
  expect(await verify()).toContain('All is well');
  return { samples, edits, posts: receiver.calls.length };
};

const editAtRandom = (shell: SqliteConnection, random: () => number, round: number): void => {
  const draft = `draft-${1 + Math.floor(random() * 19)}`;
  const kind = random();
  if (kind < 0.4) {
    shell.prepare('UPDATE posts SET title = ? WHERE slug = ?').run(`Round ${round}`, 'post-3');
  } else if (kind < 0.7) {
    const toggle = "iif(status = 'draft', 'published', 'draft')";
    shell.prepare(`UPDATE posts SET status = ${toggle} WHERE slug = ?`).run(draft);
  } else if (kind < 0.9) {
    shell.prepare('UPDATE posts SET html = ? WHERE slug = ?').run(`<p>${round}</p>`, draft);
  } else {
    editBackOrForth(shell, round);
  }
};

/** The greatest of the last quarter is not far above that of the second. */
const expectLevel = (samples: readonly Sample[]): Record<keyof Sample, readonly number[]> => {
  const part = (from: number, to: number) =>
    samples.slice(Math.floor(samples.length * from), Math.ceil(samples.length * to));
  const peak = (some: readonly Sample[], what: keyof Sample) =>
    Math.max(...some.map((sample) => sample[what]));
  const peaks = (what: keyof Sample) => [peak(part(0.25, 0.5), what), peak(part(0.75, 1), what)];
  const allowed = { memory: 48 * MIB, descriptors: 12, database: 2 * MIB, ended: 4_000 };
  for (const what of ['memory', 'descriptors', 'database', 'ended'] as const) {
    const [early = 0, late = 0] = peaks(what);
    expect(late, what).toBeLessThan(early * 1.1 + allowed[what]);
  }
  return {
    memory: peaks('memory'),
    descriptors: peaks('descriptors'),
    database: peaks('database'),
    ended: peaks('ended'),
  };
};

test('levels off', async () => {
  const program = await bundleQuickEdited(...SHORT_MONTH);
  const { samples, edits, posts } = await soak(program, SECONDS);
  const { memory, descriptors, database, ended } = expectLevel(samples);
  const inMib = (bytes: readonly number[]) =>
    bytes.map((one) => Math.round(one / MIB)).join(' to ');
  sayRow(`soak of ${SECONDS} s, seed ${SEED}`, {
    edits,
    'POSTs received': posts,
    'MiB of memory': inMib(memory),
    descriptors: descriptors.join(' to '),
    'MiB of database': inMib(database),
    'ms that a delivery is kept': ended.join(' to '),
    lost: 0,
  });
});
