// What following a live Ghost costs: from a call of the build hook, after an edit of one post in Ghost's SQLite file, to
// the post's file that says so, by a server that stays open.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadDriver } from '../src/base/sqlite/driver.ts';
import { atMost, type Check, median } from './checks.ts';
import { findBuildHook } from './edit-sources.ts';
import { makeGhostSource } from './ghost-source.ts';
import { end, startServer } from './live-server.ts';
import { findPeakMb, settle } from './processes.ts';

export type FollowResult = {
  readonly posts: number;
  readonly members: number;
  readonly rows: number;
  /** Of each edit, from the call to the file. */
  readonly milliseconds: readonly number[];
  /** Of the import and the first build, and of all. */
  readonly peaksMb: readonly [first: number, all: number];
};

const EDITS = 10;
const POLL_MS = 5;
const LIMIT_MS = 120_000;

export const measureFollow = async (
  folder: string,
  posts: number,
  membersPerPost: number,
): Promise<FollowResult> => {
  mkdirSync(folder, { recursive: true });
  const source = join(folder, 'ghost.db');
  const rows = await makeGhostSource(source, posts, membersPerPost);
  // The hook alone has it look.
  const environment = { PREPRESS_FOLLOW_SECONDS: '3600' };
  const server = await startServer(folder, { args: ['--follow', source], environment });
  const { child } = server;
  try {
    const hook = await findBuildHook(server);
    const first = findPeakMb(child.pid) ?? Number.NaN;
    await settle(folder);
    const milliseconds: number[] = [];
    for (let edit = 0; edit < EDITS; edit += 1) {
      milliseconds.push(await timeEdit({ folder, source, hook, edit }));
    }
    const peaksMb = [first, findPeakMb(child.pid) ?? Number.NaN] as const;
    return { posts, members: posts * membersPerPost, rows, milliseconds, peaksMb };
  } finally {
    await end(child);
  }
};

type Edit = {
  readonly folder: string;
  readonly source: string;
  readonly hook: string;
  readonly edit: number;
};

const timeEdit = async ({ folder, source, hook, edit }: Edit): Promise<number> => {
  const title = `Edited ${edit} ${Date.now()}`;
  const ghost = new (loadDriver())(source, { timeout: LIMIT_MS });
  const id = ghost
    .prepare(
      `UPDATE posts SET title = ?, updated_at = datetime('now') WHERE id =
        (SELECT id FROM posts WHERE status = 'published' AND type = 'post' LIMIT 1 OFFSET ?) RETURNING id`,
    )
    .pluck()
    .get(title, edit) as string;
  ghost.close();
  const started = performance.now();
  await fetch(hook, { method: 'POST' });
  const file = join(folder, 'output/content/posts', id, 'index.json');
  while (!readFileSync(file, 'utf8').includes(title)) {
    if (performance.now() - started > LIMIT_MS) throw new Error(`${file} never said "${title}".`);
    await sleep(POLL_MS);
  }
  return performance.now() - started;
};

const EDIT_MAX_MS = 2_000;
const PEAK_MAX_MB = 400;

export const checkFollows = (results: readonly FollowResult[]): Check[] =>
  results.flatMap(({ posts, members, milliseconds, peaksMb }) => {
    const of = `${posts} posts and ${members} members`;
    return [
      atMost('time', `ms from the hook to the file, ${of}`, [
        median([...milliseconds]),
        EDIT_MAX_MS,
      ]),
      atMost('memory', `peak memory in MB of serve --follow, ${of}`, [peaksMb[1], PEAK_MAX_MB]),
    ];
  });
