// The built command as a process: its exit codes (0 done, 1 failed, 2 bad usage, 13 never came to its end), and a server
// that ends when it is told to, wherever it is. What commands say is in test/unit/cli.
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadDriver } from '../../src/base/sqlite/driver.ts';
import { findLogs, withSilentChildren } from '../helpers/command-ends.ts';
import { eventually } from '../helpers/eventually.ts';
import { copiesOfInit } from '../helpers/publication-copies.ts';
import { insertRow } from '../helpers/rows.ts';
import { prepress, runPrepress, spawnPrepress } from '../helpers/run-prepress.ts';
import { CONTENT, openShell, serve } from '../helpers/serve.ts';

const IS_NODE_20 = process.versions.node.startsWith('20.');

const newCopy = copiesOfInit('--site-url', 'https://site.test');

test('a command ends with the code of what became of it, and leaves no log beside a database', async () => {
  const folder = newCopy();
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  for (const [line, code, says] of [
    ['--help', 0, /^Usage: prepress /],
    ['nonsense', 2, /^prepress: unknown command 'nonsense'/],
    ['build --base-path ../x', 2, /^prepress: Setting basePath/],
    ['publish no-such-slug', 1, /^prepress: There is no post or page with the slug/],
    [`serve --port ${port}`, 1, new RegExp(`^prepress: .*127.0.0.1:${port} is already in use`)],
  ] as const) {
    const { stdout, stderr, ...finished } = await runPrepress(folder, line.split(' '));
    expect([line, finished.code, stdout + stderr]).toEqual([
      line,
      code,
      expect.stringMatching(says),
    ]);
  }
  expect(existsSync(join(folder, CONTENT))).toBe(false);
  await prepress(folder, ['build']);
  expect(findLogs(folder)).toEqual([]);
  // One that waits for what cannot come any more.
  const { code } = await runPrepress(folder, ['deploy', 'exec:cat'], {
    environment: withSilentChildren(folder),
  });
  expect(code).toBe(13);
});

test('options of Node.js that keep the SQLite driver out are named, and no restore is advised', async () => {
  for (const NODE_OPTIONS of ['--no-addons', ...(IS_NODE_20 ? ['--frozen-intrinsics'] : [])]) {
    const { stderr } = await runPrepress(newCopy(), ['status'], { environment: { NODE_OPTIONS } });
    expect(stderr).toMatch(
      /prepress: The SQLite driver .* cannot be loaded with these options of Node\.js\.\nLeave --no-/,
    );
  }
});

describe('a server', () => {
  test('ends cleanly with a reader that stays, and its build hook is in no log', async () => {
    const folder = newCopy();
    const serving = await serve(folder);
    const { build_hook } = JSON.parse(await prepress(folder, ['status', '--secrets', '--json']));
    const [token = ''] = /[0-9a-f]{48}$/.exec(build_hook) ?? [];
    expect((await serving.get(`/hooks/build/${token}`, { method: 'POST' })).status).toBe(202);
    const idle = connect(Number(new URL(serving.url).port), '127.0.0.1');
    onTestFinished(() => void idle.destroy());
    idle.on('error', () => undefined);
    await once(idle, 'connect');
    idle.write('GET /health HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\n\r\n');
    await once(idle, 'data');
    expect(await serving.end('SIGINT')).toBe(0);
    expect(findLogs(folder)).toEqual([]);
    expect(serving.log()).not.toContain('"level":50');
    expect(serving.log()).not.toContain(token);
  });

  test('ends cleanly in the middle of a build, and while it starts', async () => {
    const folder = newCopy();
    const child = spawnPrepress(folder, ['serve', '--port', '0']);
    const closed = once(child, 'close');
    const [line] = (await once(child.stderr, 'data')) as [Buffer];
    expect(line.toString()).toContain('Server listening');
    child.kill('SIGTERM');
    expect(await closed).toEqual([0, null]);
    const serving = await serve(folder);
    openShell(folder).exec("UPDATE posts SET title = title || '!'");
    expect(await serving.end('SIGTERM')).toBe(0);
    await prepress(folder, ['build']);
    expect(await prepress(folder, ['verify', '--compare'])).toBe('All is well.\n');
  });

  test('says that another one already runs', async () => {
    const folder = newCopy();
    const first = await serve(folder);
    const second = await serve(folder);
    const said = 'another server already runs on this publication';
    expect([first, second].map((serving) => serving.log().includes(said))).toEqual([false, true]);
  });

  test('can be backed up while somebody writes: the copy is one moment of the database', async () => {
    const folder = newCopy();
    const serving = await serve(folder);
    const shell = openShell(folder);
    const paired = "WHERE title = 'Paired'";
    const count = (from: typeof shell, rest: string): number =>
      from.prepare(`SELECT count(*) FROM posts ${rest}`).pluck().get() as number;
    // Somebody who reads keeps what is written now out of the main file.
    const reader = openShell(folder);
    reader.exec('BEGIN');
    count(reader, '');
    // A post and its link are always written together.
    const author_id = shell.prepare('SELECT id FROM users').pluck().get() as string;
    const write = shell.transaction(() => {
      const post_id = insertRow(shell, 'posts', { title: 'Paired', html: 'x'.repeat(20_000) });
      insertRow(shell, 'posts_authors', { post_id, author_id });
    });
    const writing = setInterval(() => write(), 2);
    onTestFinished(() => clearInterval(writing));
    await eventually(() => expect(count(shell, paired)).toBeGreaterThan(0));
    const committed = count(shell, paired);
    await prepress(folder, ['backup', 'copy.db']);
    clearInterval(writing);
    const copy = new (loadDriver())(join(folder, 'copy.db'), { readonly: true });
    onTestFinished(() => void copy.close());
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(copy.pragma('foreign_key_check')).toEqual([]);
    expect(count(copy, paired)).toBeGreaterThanOrEqual(committed);
    expect(count(copy, paired)).toBeLessThanOrEqual(count(shell, paired));
    expect(count(copy, `${paired} AND id NOT IN (SELECT post_id FROM posts_authors)`)).toBe(0);
    expect(existsSync(join(folder, 'copy.db.partial'))).toBe(false);
    expect((await serving.get('/health')).status).toBe(200);
  });
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  'an import of members that %s breaks off has named the refused lines, and says what goes on',
  async (signal, code) => {
    const folder = newCopy();
    const members = Array.from({ length: 5_000 }, (_, n) => `m${n}@example.com`);
    writeFileSync(join(folder, 'members.csv'), ['email', ...members, 'nobody'].join('\n'));
    const child = spawnPrepress(folder, ['import', 'members.csv']);
    const ended = once(child, 'close');
    let said = '';
    for await (const chunk of child.stdout) {
      said += String(chunk);
      if (!child.killed && said.includes('Skipped members/line 5002')) child.kill(signal);
    }
    expect(await ended).toEqual([code, null]);
    expect(said).toMatch(
      /of 5,000 members were imported\. A server, or the next import of members, does the rest\./,
    );
  },
);
