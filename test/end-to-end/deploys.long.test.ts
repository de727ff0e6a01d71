// The setting deploy, through the built command: every publish reaches its targets by itself, and webhooks leave when it is
// there. The receiver reads the target when it is called.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { ShownDeploy } from '../../src/publish/after-build/deploy-states.ts';
import { untilAnnounced, untilDelivered } from '../battery/outbox-state.ts';
import { eventually } from '../helpers/eventually.ts';
import { makeGhostDatabase } from '../helpers/ghost-database.ts';
import { type Listener, listenForDeliveries } from '../helpers/receiver.ts';
import { prepress, runPrepress } from '../helpers/run-prepress.ts';
import { copyPublication, openShell, type Serving, serve } from '../helpers/serve.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';

const suite = suiteFolder();
beforeAll(async () => {
  await prepress(suite.path, ['init', '--site-url', 'https://site.test']);
  await prepress(suite.path, ['build']);
});
afterAll(suite.remove);

const PUBLISHED = "SELECT id FROM posts WHERE type = 'post' AND status = 'published' LIMIT 1";

type State = { readonly deploys: readonly ShownDeploy[] };

/** A publication with these targets; what its webhooks read at the first one when they come. */
const createSite = async (deploy: readonly unknown[], settings: object = {}) => {
  const folder = copyPublication(suite.path);
  const configure = (targets: readonly unknown[]): void =>
    writeFileSync(
      join(folder, 'prepress.config.json'),
      JSON.stringify({ deploy: targets, lists: { pages: 1 }, ...settings }),
    );
  configure(deploy);
  const shell = openShell(folder);
  const id = shell.prepare(PUBLISHED).pluck().get() as string;
  const listener = await listenForDeliveries();
  onTestFinished(listener.close);
  const edit = (title: string): void =>
    void shell.prepare('UPDATE posts SET title = ? WHERE id = ?').run(title, id);
  const titleAt = (site: string, postId = id): string => {
    const file = join(folder, site, `content/posts/${postId}/index.json`);
    return JSON.parse(readFileSync(file, 'utf8')).posts[0].title;
  };
  return { folder, shell, listener, edit, titleAt, configure };
};

const subscribe = async (listener: Listener, server: Serving, event: string): Promise<void> =>
  void (await listener.subscribe(server as never, event));

const stateOf = async (server: Serving): Promise<State> =>
  ((await server.admin('GET', '/state/')) as { state: State }).state;

test('a server that is killed while it carries goes on at its next start, before it delivers', async () => {
  const waits = 'while [ ! -e go ] && [ ! -e stop ]; do sleep 0.05; done';
  const gate = `cat > /dev/null; touch began; ${waits}; test -e go`;
  const site = await createSite(['dir:first', `exec:${gate}`]);
  const first = await serve(site.folder);
  await subscribe(site.listener, first, 'site.changed');
  site.edit('One');
  await untilAnnounced(site.shell);
  await eventually(() => expect(existsSync(join(site.folder, 'began'))).toBe(true));
  const ended = first.end('SIGKILL');
  // The command outlives the server, and has its standard error.
  writeFileSync(join(site.folder, 'stop'), '');
  await ended;
  rmSync(join(site.folder, 'stop'));
  // As after a long time: the holds have lapsed.
  site.shell.prepare('UPDATE deliveries SET held_until = 1').run();
  rmSync(join(site.folder, 'began'));
  const second = await serve(site.folder);
  await eventually(() => expect(existsSync(join(site.folder, 'began'))).toBe(true));
  await eventually(async () => expect((await stateOf(second)).deploys[1]?.state).toBe('carrying'));
  expect(site.listener.received).toHaveLength(0);
  writeFileSync(join(site.folder, 'go'), '');
  await untilDelivered(site.shell);
  expect(site.listener.received).toHaveLength(1);
});

test('an edit in a source that is followed is announced when every target has it', async () => {
  const site = await createSite(['dir:first', 'exec:test -e go']);
  const ghost = makeGhostDatabase(join(site.folder, 'ghost.db'));
  onTestFinished(() => void ghost.close());
  const { id } = ghost
    .prepare("SELECT id FROM posts WHERE type = 'post' AND status = 'published' LIMIT 1")
    .get() as { id: string };
  const edit = (title: string): void => {
    const time = new Date().toISOString().slice(0, 19).replace('T', ' ');
    ghost.prepare('UPDATE posts SET title = ?, updated_at = ? WHERE id = ?').run(title, time, id);
  };
  edit('Before');
  writeFileSync(join(site.folder, 'go'), '');
  const once = ['follow', 'ghost.db', '--once'];
  const said = await prepress(site.folder, [...once, '--site-url', 'https://site.test']);
  expect(said).toMatch(/Deployed to dir:first: \d+ files sent/);
  expect(site.titleAt('first', id)).toBe('Before');
  rmSync(join(site.folder, 'go'));
  const environment = { PREPRESS_FOLLOW_SECONDS: '1', PREPRESS_FOLLOW: 'ghost.db' };
  const server = await serve(site.folder, { environment });
  await subscribe(site.listener, server, 'site.changed');
  edit('After');
  await untilAnnounced(site.shell);
  await eventually(() => expect(site.titleAt('first', id)).toBe('After'));
  expect(site.listener.received).toHaveLength(0);
  writeFileSync(join(site.folder, 'go'), '');
  await untilDelivered(site.shell);
  expect(site.listener.received).toHaveLength(1);
  const again = await runPrepress(site.folder, once);
  expect(again.code).toBe(0);
});
