// What lies beside the database and is made with it: a start that broke off is begun again, the file of the
// admin key is whole or mended, and the key that secrets are sealed with is never replaced by another.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { loadDriver } from '../../src/sqlite/driver.ts';
import { eventually } from '../helpers/eventually.ts';
import { prepress, runPrepress, spawnPrepress } from '../helpers/run-prepress.ts';
import { copyPublication, DATABASE } from '../helpers/serve.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

let template = '';
beforeAll(async () => {
  const folder = suiteFolder();
  template = folder.path;
  await prepress(template, ['init']);
  return folder.remove;
});

const countPosts = (folder: string): number => {
  const shell = new (loadDriver())(join(folder, DATABASE), { readonly: true });
  try {
    return shell.prepare('SELECT count(*) FROM posts').pluck().get() as number;
  } finally {
    shell.close();
  }
};

test('an init that was killed is begun again, and never leaves half a publication', async () => {
  const posts = countPosts(template);
  const folder = temporaryFolder();
  const database = join(folder, DATABASE);
  for (const delayMs of [0, 150]) {
    const child = spawnPrepress(folder, ['init']);
    const closed = new Promise((resolve) => child.once('close', resolve));
    const draft = `${database}.new`;
    await eventually(() => expect(existsSync(draft) || child.exitCode !== null).toBe(true), 1);
    await sleep(delayMs);
    child.kill('SIGKILL');
    await closed;
    expect(existsSync(database) && countPosts(folder) !== posts).toBe(false);
  }
  if (!existsSync(database)) await prepress(folder, ['init']);
  expect(countPosts(folder)).toBe(posts);
  const { stderr } = await runPrepress(folder, ['init']);
  expect(stderr).toContain('exists already');
  await prepress(folder, ['build']);
});

test('two that make the same database at once make one', async () => {
  const folder = temporaryFolder();
  const runs = await Promise.all([1, 2, 3].map(() => runPrepress(folder, ['init'])));
  expect(runs.map(({ code }) => code).sort()).toEqual([0, 1, 1]);
  for (const { code, stderr } of runs) if (code === 1) expect(stderr).toContain('exists already');
  expect(countPosts(folder)).toBe(countPosts(template));
});

test('a new database is not laid under the log of one that was removed', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'data'));
  const old = new (loadDriver())(join(folder, 'old.db'));
  old.exec('PRAGMA journal_mode = WAL; CREATE TABLE other (id)');
  copyFileSync(join(folder, 'old.db-wal'), join(folder, `${DATABASE}-wal`));
  old.close();
  await prepress(folder, ['init']);
  expect(countPosts(folder)).toBe(countPosts(template));
});

test('an admin key that is empty, cut or of another database is written again', async () => {
  const folder = copyPublication(template);
  const file = join(folder, 'data/admin-key');
  const key = readFileSync(file, 'utf8');
  const damages: readonly (() => void)[] = [
    () => truncateSync(file, 0),
    () => truncateSync(file, 40),
    () => writeFileSync(file, `${'e'.repeat(24)}:${'ab'.repeat(32)}\n`, { mode: 0o644 }),
    () => rmSync(file),
  ];
  for (const damage of damages) {
    damage();
    // Left by a run that was killed.
    writeFileSync(`${file}.new`, 'half', { mode: 0o644 });
    await prepress(folder, ['status']);
    expect(readFileSync(file, 'utf8')).toBe(key);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(existsSync(`${file}.new`)).toBe(false);
  }
});

test('an admin key of its own stays, also when it was revoked', async () => {
  const folder = copyPublication(template);
  const made = await prepress(folder, ['keys', 'create', '--type', 'admin', '--name', 'CMS']);
  const key = `${made.trim().split('\n').at(-1)}\n`;
  const file = join(folder, 'data/admin-key');
  writeFileSync(file, key);
  await prepress(folder, ['status']);
  await prepress(folder, ['keys', 'revoke', key.split(':')[0] ?? '']);
  await prepress(folder, ['status']);
  expect(readFileSync(file, 'utf8')).toBe(key);
});

test('a sealing key that is gone is asked for, and not made anew', async () => {
  const folder = copyPublication(template);
  const file = join(folder, 'data/secret.key');
  renameSync(file, join(folder, 'kept.key'));
  for (const command of ['status', 'build', 'serve --port 0']) {
    const { code, stderr } = await runPrepress(folder, command.split(' '));
    expect(code, command).toBe(2);
    expect(stderr).toMatch(/^prepress: There is no key file at .*secret\.key, and .*\n.*\n$/);
    expect(existsSync(file)).toBe(false);
  }
  renameSync(join(folder, 'kept.key'), file);
  await prepress(folder, ['build']);
});
