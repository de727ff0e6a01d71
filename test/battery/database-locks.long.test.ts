// Other programs at the database: locks that last, a writer that never commits, a file that is replaced
// while a server runs, a tree that is removed under it. The server shows the newest commit in the end.
import {
  closeSync,
  cpSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { SqliteConnection } from '../../src/base/sqlite/driver.ts';
import { cleanTree, expectTree } from '../helpers/clean-tree.ts';
import { eventually } from '../helpers/eventually.ts';
import { CONTENT, copyPublication, DATABASE, openShell } from '../helpers/serve.ts';
import { readTree } from '../helpers/tree.ts';
import { quickProgram } from './program.ts';
import { mustRun, runProgram } from './run-program.ts';
import { type Server, startServer } from './server.ts';
import { createBuilt, editBackOrForth } from './small-publication.ts';

const program = await quickProgram();

const serve = async (folder: string): Promise<Server> => {
  const server = await startServer(folder, { program });
  onTestFinished(() => server.end('SIGKILL'));
  return server;
};

const untilTree = async (folder: string, shell: SqliteConnection): Promise<void> => {
  const clean = await cleanTree(shell);
  await eventually(() => expectTree(join(folder, CONTENT), clean), 100);
};

/** A lock that a build finds, and that lasts until its files are in place. */
test('locked for a while: a build waits', async () => {
  const { folder, content, shell } = await createBuilt(program);
  editBackOrForth(shell, 0);
  const clean = await cleanTree(shell);
  shell.exec('BEGIN IMMEDIATE');
  const placed = eventually(() => expectTree(content, clean));
  const [{ code, stderr }] = await Promise.all([
    runProgram({ program, folder, args: ['build'] }),
    placed.then(() => shell.exec('ROLLBACK')),
  ]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

/** One that lasts: the build says so and leaves the tree alone, or what was locked out is the announcement of its files. */
test('locked for long: a build says so and leaves the tree alone', async () => {
  const { folder, content, shell } = await createBuilt(program);
  const before = readTree(content);
  editBackOrForth(shell, 0);
  const clean = await cleanTree(shell);
  shell.exec('BEGIN IMMEDIATE');
  const { code, stderr } = await runProgram({ program, folder, args: ['build'] });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^prepress: The database .*locked for \d+ s/);
  expect([[...before], [...clean]]).toContainEqual([...readTree(content)]);
  shell.exec('ROLLBACK');
  await mustRun({ program, folder, args: ['build'] });
  expectTree(content, clean);
});

/** Beside a writer, and then a reader, that never end. */
test('a server beside a lock, and beside a writer that never commits', async () => {
  const { folder, shell } = await createBuilt(program);
  const server = await serve(folder);
  const before = readTree(join(folder, CONTENT));
  const other = openShell(folder);
  other.exec("BEGIN IMMEDIATE; UPDATE posts SET title = 'Never'");
  // Who writes waits and is told; readers are served meanwhile, and what was not committed shows nowhere.
  const writes = server.ask('POST', '/posts/', { posts: [{ title: 'Locked out' }] });
  expect(await server.admin('GET', '/posts/')).not.toMatchObject({ posts: [{ title: 'Never' }] });
  expect(await writes).toMatchObject({ status: 503 });
  expectTree(join(folder, CONTENT), before);
  other.exec('ROLLBACK');
  // Nor does a reader that never ends hold anything up.
  other.exec('BEGIN; SELECT count(*) FROM posts');
  other.prepare('SELECT count(*) FROM posts').get();
  editBackOrForth(shell, 0);
  await untilTree(folder, shell);
  other.exec('COMMIT');
  await server.end();
});

/** The database is replaced by a rename, as a restore does it, while the server runs. */
test('the file replaced by a rename while serving', async () => {
  const { folder, shell } = await createBuilt(program);
  const server = await serve(folder);
  const other = copyPublication(folder);
  await mustRun({ program, folder, args: ['backup', join(other, 'copy.db')] });
  cpSync(join(other, 'copy.db'), join(other, DATABASE));
  for (const end of ['-wal', '-shm']) rmSync(join(other, `${DATABASE}${end}`), { force: true });
  const elsewhere = openShell(other);
  elsewhere.prepare("UPDATE posts SET title = 'Another file' WHERE slug = 'post-3'").run();
  elsewhere.pragma('wal_checkpoint(TRUNCATE)');
  const clean = await cleanTree(elsewhere);
  elsewhere.close();
  // An edit of the old file, whose log must not reach the new one.
  editBackOrForth(shell, 0);
  await untilTree(folder, shell);
  shell.close();
  renameSync(join(other, DATABASE), join(folder, DATABASE));
  await eventually(() => expectTree(join(folder, CONTENT), clean), 100);
  const fresh = openShell(folder);
  editBackOrForth(fresh, 0);
  await untilTree(folder, fresh);
  expect(fresh.pragma('integrity_check', { simple: true })).toBe('ok');
  await server.end();
});

/** Someone removes the tree under a running server. */
test('the tree removed while serving', async () => {
  const { folder, shell } = await createBuilt(program);
  const server = await serve(folder);
  // In one step: the server writes meanwhile.
  renameSync(join(folder, CONTENT), join(folder, 'removed'));
  await eventually(async () => expectTree(join(folder, CONTENT), await cleanTree(shell)), 200);
  await server.end();
});

/** The file of another, newer Prepress is put there: said, and the tree stays as it is. */
test('a newer schema put there while serving', async () => {
  const { folder } = await createBuilt(program);
  const before = readTree(join(folder, CONTENT));
  const server = await serve(folder);
  const other = copyPublication(folder);
  for (const end of ['-wal', '-shm']) rmSync(join(other, `${DATABASE}${end}`), { force: true });
  const elsewhere = openShell(other);
  elsewhere.prepare('VACUUM INTO ?').run(join(other, 'good.db'));
  elsewhere.exec("INSERT INTO migrations (number, name, sha256) VALUES (999, 'later', 'x')");
  elsewhere.prepare("UPDATE posts SET title = 'Newer' WHERE slug = 'post-3'").run();
  elsewhere.pragma('wal_checkpoint(TRUNCATE)');
  elsewhere.close();
  renameSync(join(other, DATABASE), join(folder, DATABASE));
  await eventually(() => expect(server.log()).toContain('which this Prepress does not know'), 100);
  expectTree(join(folder, CONTENT), before);
  // The right one is taken as soon as it is there, and until then not every poll is told of.
  renameSync(join(other, 'good.db'), join(folder, DATABASE));
  const fresh = openShell(folder);
  editBackOrForth(fresh, 0);
  await untilTree(folder, fresh);
  expect(server.log().split('which this Prepress does not know').length).toBeLessThan(10);
  await server.end();
});

/** A backup that is copied into place piece by piece, after one that cannot be used: the first says so. */
test('a backup copied into place while serving', async () => {
  const { folder, shell } = await createBuilt(program);
  editBackOrForth(shell, 0);
  await mustRun({ program, folder, args: ['build'] });
  const content = join(folder, CONTENT);
  const before = readTree(content);
  const other = copyPublication(folder);
  const backup = join(other, 'copy.db');
  await mustRun({ program, folder, args: ['backup', backup] });
  const elsewhere = openShell(other);
  elsewhere.prepare("UPDATE posts SET title = 'Restored' WHERE slug = 'post-3'").run();
  elsewhere.prepare('VACUUM INTO ?').run(join(other, 'whole.db'));
  const clean = await cleanTree(elsewhere);
  elsewhere.close();
  shell.close();
  const server = await serve(folder);
  const file = join(folder, DATABASE);
  const whole = readFileSync(join(other, 'whole.db'));
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
  const descriptor = openSync(file, 'w');
  try {
    for (const part of [whole.subarray(0, 50_000), whole.subarray(50_000)]) {
      // Everything so far has been looked at.
      const said = server.log().length;
      await eventually(() => expect(server.log().slice(said)).toContain('"code"'));
      expectTree(content, before);
      writeSync(descriptor, part);
    }
  } finally {
    closeSync(descriptor);
  }
  await eventually(() => expectTree(content, clean), 100);
  const fresh = openShell(folder);
  editBackOrForth(fresh, 0);
  await untilTree(folder, fresh);
  expect(fresh.pragma('integrity_check', { simple: true })).toBe('ok');
  await server.end();
});

/** A file where the content folder was: said, and made good when it is gone. */
test('a file in the place of the tree while serving', async () => {
  const { folder, shell } = await createBuilt(program);
  const server = await serve(folder);
  const content = join(folder, CONTENT);
  renameSync(content, join(folder, 'elsewhere'));
  writeFileSync(content, 'in the way');
  await eventually(() => expect(server.log()).toContain('OUTPUT_UNWRITABLE'));
  rmSync(content);
  editBackOrForth(shell, 0);
  await untilTree(folder, shell);
  await server.end();
});
