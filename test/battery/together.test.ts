// Several programs at once, and programs that are told to end: builders that meet, a server and a command
// line that edit together, SIGTERM in each phase of a build and of a server's life.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { measureBuild, randomMoment, watchBuild } from '../helpers/build-moments.ts';
import { cleanTree, expectTree } from '../helpers/clean-tree.ts';
import { eventually } from '../helpers/eventually.ts';
import { createRandom, SEED } from '../helpers/random.ts';
import { CONTENT, openShell } from '../helpers/serve.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { checkTree, startReader } from '../helpers/tree-reader.ts';
import { quickProgram } from './program.ts';
import { mustRun, runProgram, startProgram } from './run-program.ts';
import { startServer } from './server.ts';
import { sayRow, sized } from './size.ts';
import { createSmallPublication, editBackOrForth } from './small-publication.ts';

const program = await quickProgram();

const createBuilt = async (used: string, drafts = 1) => {
  const folder = temporaryFolder();
  await createSmallPublication(used, folder, { posts: 6, drafts });
  await mustRun({ program: used, folder, args: ['build'] });
  return { folder, content: join(folder, CONTENT), shell: openShell(folder) };
};

/** Builders that start at one moment, again and again, full ones among them. */
const buildAtOnce = async (used: string, builders: number, rounds: number): Promise<void> => {
  const { folder, content, shell } = await createBuilt(used);
  const reader = startReader(content, { random: createRandom(SEED) });
  for (let round = 0; round < rounds; round += 1) {
    editBackOrForth(shell, round);
    const ends = await Promise.all(
      Array.from({ length: builders }, (_, at) =>
        runProgram({
          program: used,
          folder,
          args: at % 3 === 2 ? ['build', '--full'] : ['build'],
        }),
      ),
    );
    expect(ends.map(({ code, stderr }) => `${code} ${stderr}`)).toEqual(ends.map(() => '0 '));
    expectTree(content, await cleanTree(shell));
  }
  await reader.close();
  expect(reader.faults).toEqual([]);
};

describe('builders at once', () => {
  test.each([2, 8])('%d of them', async (builders) => {
    const rounds = sized({ short: 8 / builders, long: 160 / builders });
    await buildAtOnce(program, builders, rounds);
    sayRow(`${builders} builders at once`, { builds: builders * rounds, 'wrong trees': 0 });
  });
});

/** A server, a command line and a shell edit for a while: whatever was committed is shown, by whomever. */
const editTogether = async (used: string, seconds: number): Promise<number> => {
  const { folder, content, shell } = await createBuilt(used, 40);
  const server = await startServer(folder, { program: used });
  onTestFinished(() => server.end('SIGKILL'));
  const reader = startReader(content, { random: createRandom(SEED) });
  const until = Date.now() + seconds * 1_000;
  const saved = { admin: 0, command: 0, shell: 0 };
  const byAdmin = async (): Promise<void> => {
    while (Date.now() < until) {
      const posts = [{ title: `Saved ${saved.admin}`, html: '<p>a</p>', status: 'published' }];
      await server.admin('POST', '/posts/?source=html', { posts });
      saved.admin += 1;
      await sleep(60);
    }
  };
  const byCommand = async (): Promise<void> => {
    while (Date.now() < until) {
      const verb = saved.command % 2 === 0 ? 'publish' : 'unpublish';
      const slug = `draft-${Math.floor(saved.command / 2) % 40}`;
      await mustRun({ program: used, folder, args: [verb, slug] });
      saved.command += 1;
    }
  };
  const byShell = async (): Promise<void> => {
    const edit = shell.prepare("UPDATE posts SET title = ? WHERE slug = 'post-3'");
    while (Date.now() < until) {
      edit.run(`Shell ${saved.shell}`);
      saved.shell += 1;
      await sleep(40);
    }
  };
  await Promise.all([byAdmin(), byCommand(), byShell()]);
  const count = shell.prepare("SELECT count(*) FROM posts WHERE title LIKE 'Saved %'").pluck();
  expect(count.get()).toBe(saved.admin);
  const clean = await cleanTree(shell);
  await eventually(() => expectTree(content, clean), 200);
  expect(clean.get('posts/index.json')).toContain(`Shell ${saved.shell - 1}`);
  await reader.close();
  expect(reader.faults).toEqual([]);
  await server.end();
  return saved.admin + saved.command + saved.shell;
};

test('a server and a command line edit together', async () => {
  const seconds = sized({ short: 8, long: 60 });
  const edits = await editTogether(program, seconds);
  sayRow('a server, a command line and a shell edit together', { seconds, edits, lost: 0 });
});

/** Tells a program to end, and waits until it did; the milliseconds that it took. */
const end = async (child: ChildProcess): Promise<number> => {
  onTestFinished(() => void child.kill('SIGKILL'));
  const told = performance.now();
  child.kill('SIGTERM');
  await eventually(() => expect(child.exitCode ?? child.signalCode).not.toBeNull());
  return performance.now() - told;
};

/** SIGTERM at random moments of builds: they end, and leave what the next one can take up. */
const endBuilds = async (used: string, kills: number): Promise<number> => {
  const { folder, content, shell } = await createBuilt(used);
  const random = createRandom(SEED);
  const start = () => {
    const child = startProgram({ program: used, folder, args: ['build', '--full'] });
    child.stdout.resume();
    child.stderr.resume();
    return child;
  };
  editBackOrForth(shell, 0);
  const durations = await measureBuild(content, () => once(start(), 'close'));
  let longest = 0;
  for (let round = 1; round <= kills; round += 1) {
    editBackOrForth(shell, round);
    const child = start();
    const closed = once(child, 'close');
    await randomMoment(watchBuild(content, closed), durations, random);
    longest = Math.max(longest, await end(child));
    expect(checkTree(content)).toEqual([]);
    await mustRun({ program: used, folder, args: ['build'] });
    expectTree(content, await cleanTree(shell));
  }
  return Math.round(longest);
};

/** SIGTERM to a server while it starts, idles, settles, builds and delivers: exit code 0. */
const endServers = async (used: string, rounds: number): Promise<number> => {
  const { folder, content, shell } = await createBuilt(used);
  let longest = 0;
  for (let round = 0; round < rounds; round += 1) {
    const child = startProgram({
      program: used,
      folder,
      args: ['serve', '--port', '0', '--dev', '--json'],
    });
    child.stderr.resume();
    await once(child.stdout, 'data');
    editBackOrForth(shell, round);
    // From before the change is noticed to after it is built.
    await sleep((round * 900) / rounds);
    longest = Math.max(longest, await end(child));
    expect([child.exitCode, child.signalCode]).toEqual([0, null]);
    expect(checkTree(content)).toEqual([]);
    await mustRun({ program: used, folder, args: ['build'] });
    expectTree(content, await cleanTree(shell));
  }
  return Math.round(longest);
};

describe('told to end', () => {
  test('a build', async () => {
    const ends = sized({ short: 8, long: 200 });
    const longest = await endBuilds(program, ends);
    sayRow(`SIGTERM in a build, seed ${SEED}`, { ends, 'ms at most': longest, lost: 0 });
  });

  test('a server', async () => {
    const ends = sized({ short: 6, long: 100 });
    const longest = await endServers(program, ends);
    sayRow('SIGTERM in a server', { ends, 'ms at most': longest, lost: 0 });
  });
});
