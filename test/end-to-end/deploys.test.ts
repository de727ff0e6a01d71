// The setting deploy, through the built command: every publish reaches its targets by itself, and webhooks leave when it is
// there, a receiver that reads the target finds the new bytes; while one target fails, events wait for it.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ShownDeploy } from '../../src/publish/after-build/deploy-states.ts';
import { untilAnnounced, untilDelivered } from '../battery/outbox-state.ts';
import { eventually } from '../helpers/eventually.ts';
import { listenForDeliveries } from '../helpers/receiver.ts';
import { insertRow } from '../helpers/rows.ts';
import { prepress, runPrepress } from '../helpers/run-prepress.ts';
import { openShell, type Serving, serve } from '../helpers/serve.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { readTree } from '../helpers/tree-files.ts';

const PUBLISHED = "SELECT id FROM posts WHERE type = 'post' AND status = 'published' LIMIT 1";
const SENT = { PREPRESS_WEBHOOK_ALLOW: '127.0.0.0/8' };

test('targets have a publish before webhooks leave, one that fails is waited for, and commands do the same', async () => {
  const folder = temporaryFolder();
  await prepress(folder, ['init', '--site-url', 'https://site.test']);
  const deploy = ['dir:first', 'exec:test -e go'];
  writeFileSync(join(folder, 'prepress.config.json'), JSON.stringify({ deploy }));
  const go = join(folder, 'go');
  writeFileSync(go, '');
  const shell = openShell(folder);
  const id = shell.prepare(PUBLISHED).pluck().get() as string;
  const titleAt = (site: string): string =>
    JSON.parse(readFileSync(join(folder, site, `content/posts/${id}/index.json`), 'utf8')).posts[0]
      .title;
  const edit = (title: string): void =>
    void shell.prepare('UPDATE posts SET title = ? WHERE id = ?').run(title, id);
  const listener = await listenForDeliveries();
  onTestFinished(listener.close);
  const read: unknown[] = [];
  listener.respond = (response, { body }) => {
    read.push([body.event, titleAt('first')]);
    response.writeHead(200).end();
  };
  const server: Serving = await serve(folder);
  for (const event of ['site.changed', 'post.added']) {
    await listener.subscribe(server as never, event);
  }
  await untilDelivered(shell);
  edit('One');
  await untilDelivered(shell);
  expect(read).toEqual([['site.changed', 'One']]);
  expect(readTree(join(folder, 'first'))).toEqual(readTree(join(folder, 'output')));

  rmSync(go);
  edit('Two');
  await untilAnnounced(shell);
  // What needs no file does not wait.
  insertRow(shell, 'posts', {});
  await eventually(() => expect(read.slice(1)).toEqual([['post.added', 'Two']]));
  await eventually(async () => {
    const { state } = (await server.admin('GET', '/state/')) as {
      state: { deploys: readonly ShownDeploy[] };
    };
    expect(state.deploys).toMatchObject([
      { target: expect.stringMatching(/^dir:/), state: 'there', failures: 0 },
      { target: 'exec:test', state: 'failing', lastError: { code: 'DEPLOY_FAILED' } },
    ]);
    expect(state.deploys[1]?.failures).toBeGreaterThan(1);
  });
  expect(read).toHaveLength(2);
  writeFileSync(go, '');
  await untilDelivered(shell);
  expect(read.slice(2)).toEqual([['site.changed', 'Two']]);
  expect(server.log()).not.toContain('-e go');
  await server.end();

  rmSync(go);
  edit('Three');
  const failed = await runPrepress(folder, ['build']);
  expect([failed.code, failed.stderr]).toEqual([
    1,
    expect.stringContaining('1 of 2 targets failed. exec:test: The command'),
  ]);
  expect(titleAt('first')).toBe('Three');
  expect(await prepress(folder, ['status'])).toMatch(
    /deploy +exec:test: failing, generation \d+ of \d+, failing since \S+: The command ended/,
  );
  writeFileSync(go, '');
  const done = JSON.parse(await prepress(folder, ['deploy', '--json'], { environment: SENT }));
  expect(done.deliveries).toMatchObject({ tried: 1, succeeded: 1 });
  expect(read.slice(3)).toEqual([['site.changed', 'Three']]);
  expect(existsSync(join(folder, 'first/content/posts/index.json'))).toBe(true);
});

test('what is not built yet is not deployed, and said', async () => {
  const folder = temporaryFolder();
  await prepress(folder, ['init', '--site-url', 'https://site.test']);
  await prepress(folder, ['build']);
  openShell(folder).exec("UPDATE posts SET status = 'draft' WHERE slug = 'the-foghorn-tuner'");
  const note = 'Note: 1 change of the database is not built yet: run "prepress build", then';
  expect(await prepress(folder, ['deploy', 'dir:one'])).toContain(note);
  const environment = { PREPRESS_DEPLOY: 'dir:two' };
  expect(await prepress(folder, ['deploy'], { environment })).toContain(note);
  await prepress(folder, ['build']);
  expect(await prepress(folder, ['deploy', 'dir:one'])).not.toContain(note);
});

test('pages that a command takes back beside a server leave the targets, too', async () => {
  const folder = temporaryFolder();
  await prepress(folder, ['init', '--site-url', 'https://site.test']);
  const settings = { deploy: ['dir:first'], site: true };
  writeFileSync(join(folder, 'prepress.config.json'), JSON.stringify(settings));
  const server: Serving = await serve(folder);
  const page = 'the-foghorn-tuner/index.html';
  await eventually(() => expect(existsSync(join(folder, 'first', page))).toBe(true));
  await prepress(folder, ['unpublish', 'the-foghorn-tuner']);
  expect(existsSync(join(folder, 'output', page))).toBe(false);
  await eventually(() => {
    expect(readTree(join(folder, 'first'))).toEqual(readTree(join(folder, 'output')));
  });
  await server.end();
});
