// What `npm run sabotage` says of a small table, and what it takes for changed.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { findChanged, findDefaultRevision } from '../../sabotage/changed.ts';

const TABLE = ['--table', 'test/fixtures/sabotage/rows.ts'];

const run = (...args: readonly string[]) => {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['scripts/sabotage.js', ...TABLE, ...args],
    { encoding: 'utf8' },
  );
  const lines = stdout.trimEnd().split('\n');
  const kinds = lines.flatMap((line) => /^[\d.]+ s: ([^:]*): ([^(]*\w)/.exec(line)?.slice(1) ?? []);
  return { kinds, lines, stderr, status };
};

test('only a failed assertion is noticed, and only if the watch passes without a sabotage', () => {
  const { kinds, lines, stderr, status } = run();
  expect(kinds, stderr).toEqual([
    ...['noticed', 'noticed by an assertion'],
    ...['noticed', 'noticed by a property'],
    ...['noticed', 'noticed by a matcher'],
    ...['not noticed', 'a comment is not noticed'],
    ...['timed out', 'a wait that reaches its limit'],
    ...['timed out', 'a test that hangs'],
    ...['did not run', 'a source that cannot be read'],
    ...['did not run', 'an error that is no assertion'],
    ...['did not run', 'a source that is not loaded'],
    ...['control failed', 'a watch that fails anyhow'],
  ]);
  expect(lines.at(-1)).toBe('3 noticed, 7 not noticed, 0 left out');
  expect(status).toBe(1);
  expect(lines[4]).toContain('Waited 0.05 s in vain for: it to be ready');
});

test('rows without time are left out by name, which is no failure', () => {
  const { lines, status } = run('--seconds', '0', 'noticed by');
  expect(lines.map((line) => line.replace(/^[\d.]+ s: /, ''))).toEqual([
    'left out: noticed by an assertion (test/fixtures/sabotage/watch.fixture.ts): no time left',
    'left out: noticed by a property (test/fixtures/sabotage/watch.fixture.ts): no time left',
    'left out: noticed by a matcher (test/fixtures/sabotage/watch.fixture.ts): no time left',
    '0 noticed, 0 not noticed, 3 left out',
  ]);
  expect(status).toBe(0);
});

test('a name that no row has is an error', () => {
  const { lines, status } = run('numbers');
  expect({ lines, status }).toEqual({ lines: ['No row has "numbers" in its name.'], status: 1 });
});

const inRepository = () => {
  const root = temporaryFolder();
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root });
  const commit = (date: string) => {
    git('add', '-A');
    const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
    const env = { ...process.env, GIT_COMMITTER_DATE: date };
    execFileSync('git', [...who, 'commit', '-qm', 'x'], { cwd: root, env });
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  };
  git('init', '-q');
  return { root, commit };
};

test('a file that was moved with its content is not changed', () => {
  const { root, commit } = inRepository();
  for (const name of ['a', 'b', 'c']) writeFileSync(join(root, name), name);
  const first = commit('2024-01-01T00:00:00Z');
  mkdirSync(join(root, 'folder'));
  renameSync(join(root, 'a'), join(root, 'folder/a'));
  writeFileSync(join(root, 'b'), 'other');
  expect([...findChanged(root, first, ['folder/a', 'b', 'c'])]).toEqual(['b']);
});

test('the newest commit that is older than a day is compared with', () => {
  const { root, commit } = inRepository();
  const dates = ['2024-01-01T00:00:00Z', '2024-01-02T00:00:00Z', new Date().toISOString()];
  const [, second] = dates.map((date) => {
    writeFileSync(join(root, 'a'), date);
    return commit(date);
  });
  expect(findDefaultRevision(root)).toBe(second);
});
