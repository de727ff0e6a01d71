// Several programs at once, and programs that are told to end: builders that meet, a server and a command
// line that edit together, SIGTERM in each phase of a build and of a server's life.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { measureBuild, randomMoment, watchBuild } from '../helpers/build-moments.ts';
import { cleanTree, expectTree } from '../helpers/clean-tree.ts';
import { eventually } from '../helpers/eventually.ts';
import { createRandom, SEED } from '../helpers/random.ts';
import { checkTree, startReader } from '../helpers/tree-reader.ts';
import { quickProgram } from './program.ts';
import { mustRun, runProgram, startProgram } from './run-program.ts';
import { startServer } from './server.ts';
import { sayRow, sized } from './size.ts';
import { createBuilt, editBackOrForth } from './small-publication.ts';

const program = await quickProgram();

/** Builders that start at one moment, again and again, full ones among them. */
const buildAtOnce = async (builders: number, rounds: number): Promise<void> => {
  const { folder, content, shell } = await createBuilt(program);
  const reader = startReader(content, { random: createRandom(SEED) });
  for (let round = 0; round < rounds; round += 1) {
    editBackOrForth(shell, round);
    const ends = await Promise.all(
      Array.from({ length: builders }, (_, at) =>
        runProgram({
          program,
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
    const rounds = sized({ short: 4 / Math.min(builders, 4), long: 160 / builders });
    await buildAtOnce(builders, rounds);
    sayRow(`${builders} builders at once`, { builds: builders * rounds, 'wrong trees': 0 });
  });
});

/** Saves through the server and edits of the shell, beside each command. */
const EDITS_BESIDE = 10;

/** A server, a command line and a shell edit side by side: whatever was committed is shown, by whomever. */
const editTogether = async (commands: number): Promise<number> => {
  const { folder, content, shell } = await createBuilt(program, { drafts: 40 });
  const server = await startServer(folder, { program });
  onTestFinished(() => server.end('SIGKILL'));
  const reader = startReader(content, { random: createRandom(SEED) });
  const edit = shell.prepare("UPDATE posts SET title = ? WHERE slug = 'post-3'");
  let saved = 0;
  const byOthers = async (): Promise<void> => {
    for (let edits = 0; edits < EDITS_BESIDE; edits += 1) {
      saved += 1;
      const posts = [{ title: `Saved ${saved}`, html: '<p>a</p>', status: 'published' }];
      await server.admin('POST', '/posts/?source=html', { posts });
      edit.run(`Shell ${saved}`);
    }
  };
  for (let command = 0; command < commands; command += 1) {
    const verb = command % 2 === 0 ? 'publish' : 'unpublish';
    const slug = `draft-${Math.floor(command / 2) % 40}`;
    await Promise.all([mustRun({ program, folder, args: [verb, slug] }), byOthers()]);
  }
  const count = shell.prepare("SELECT count(*) FROM posts WHERE title LIKE 'Saved %'").pluck();
  expect(count.get()).toBe(saved);
  const clean = await cleanTree(shell);
  await eventually(() => expectTree(content, clean), 200);
  expect(clean.get('posts/index.json')).toContain(`Shell ${saved}`);
  await reader.close();
  expect(reader.faults).toEqual([]);
  await server.end();
  return commands + 2 * saved;
};

test('a server and a command line edit together', async () => {
  const edits = await editTogether(sized({ short: 4, long: 60 }));
  sayRow('a server, a command line and a shell edit together', { edits, lost: 0 });
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
const endBuilds = async (kills: number): Promise<number> => {
  const { folder, content, shell } = await createBuilt(program);
  const random = createRandom(SEED);
  const start = () => {
    const child = startProgram({ program, folder, args: ['build', '--full'] });
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
    await mustRun({ program, folder, args: ['build'] });
    expectTree(content, await cleanTree(shell));
  }
  return Math.round(longest);
};

/** Steps of a server's publish, at each of which one is told to end. */
const STEPS = ['noticed', 'begun', 'placed', 'shown'] as const;

/** SIGTERM to a server while it idles, settles, builds and delivers: exit code 0. */
const endServers = async (rounds: number): Promise<number> => {
  const { folder, content, shell } = await createBuilt(program);
  let longest = 0;
  for (let round = 0; round < rounds; round += 1) {
    const child = startProgram({
      program,
      folder,
      args: ['serve', '--port', '0', '--dev', '--json'],
    });
    child.stderr.resume();
    await once(child.stdout, 'data');
    const step = STEPS[round % STEPS.length] ?? 'noticed';
    const { close, ...moments } = watchBuild(content, new Promise(() => undefined));
    editBackOrForth(shell, round);
    const clean = await cleanTree(shell);
    const shown = () => eventually(() => expectTree(content, clean));
    await { ...moments, noticed: null, shown: step === 'shown' && shown() }[step];
    close();
    longest = Math.max(longest, await end(child));
    expect([child.exitCode, child.signalCode]).toEqual([0, null]);
    expect(checkTree(content)).toEqual([]);
    await mustRun({ program, folder, args: ['build'] });
    expectTree(content, clean);
  }
  return Math.round(longest);
};

describe('told to end', () => {
  test('a build', async () => {
    const ends = sized({ short: 3, long: 200 });
    const longest = await endBuilds(ends);
    sayRow(`SIGTERM in a build, seed ${SEED}`, { ends, 'ms at most': longest, lost: 0 });
  });

  test('a server', async () => {
    const ends = sized({ short: STEPS.length, long: 100 });
    const longest = await endServers(ends);
    sayRow('SIGTERM in a server', { ends, 'ms at most': longest, lost: 0 });
  });
});
