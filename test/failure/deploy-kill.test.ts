// Servers that are killed at random moments while they carry a burst of edits to a folder: at no moment does the target's
// root, or a list, lead to a file that is absent; the next start goes on; and no webhook comes before its build is there.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { untilDelivered } from '../battery/outbox-state.ts';
import { sized } from '../battery/size.ts';
import { eventually } from '../helpers/eventually.ts';
import { missingBlobs } from '../helpers/packed-blobs.ts';
import { createRandom, SEED } from '../helpers/random.ts';
import { listenForDeliveries } from '../helpers/receiver.ts';
import { prepress } from '../helpers/run-prepress.ts';
import { openShell, startServing } from '../helpers/serve.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { readTree } from '../helpers/tree.ts';

const KILLS = sized({ short: 2, long: 20 });
const LIST = /^content\/(posts|pages|tags|authors)\/[a-z-]+\.json$/;

/** What a list or the root at the target leads to, and is not there. */
const absentAt = (site: string): string[] => {
  if (!existsSync(site)) return [];
  const there = readTree(site);
  const records = [...there].flatMap(([path, text]) => {
    const [, resource = ''] = LIST.exec(path) ?? [];
    const listed = resource === '' ? [] : (JSON.parse(text)[resource] as { id: string }[]);
    return listed.map(({ id }) => `content/${resource}/${id}/index.json`);
  });
  return [
    ...records.filter((path) => !there.has(path)),
    ...missingBlobs((file) => there.get(`content/${file}`) ?? null),
  ];
};

test('a target is whole whenever its server is killed, and gets everything', async () => {
  const random = createRandom(SEED);
  const folder = temporaryFolder();
  const site = join(folder, 'site');
  await prepress(folder, ['init', '--site-url', 'https://site.test']);
  writeFileSync(join(folder, 'prepress.config.json'), JSON.stringify({ deploy: 'dir:site' }));
  const shell = openShell(folder);
  const posts = shell
    .prepare("SELECT id FROM posts WHERE type = 'post' AND status = 'published'")
    .pluck()
    .all();
  const listener = await listenForDeliveries();
  onTestFinished(listener.close);
  const early: string[] = [];
  listener.respond = (response, { body }) => {
    const { id, title } = (body as { post: { current: { id: string; title: string } } }).post
      .current;
    const file = join(site, `content/posts/${id}/index.json`);
    const [shown] = JSON.parse(readFileSync(file, 'utf8')).posts as { title: string }[];
    // A later edit may be there already.
    if (Number(shown?.title) < Number(title)) early.push(`${shown?.title} < ${title}`);
    response.writeHead(200).end();
  };
  let edits = 0;
  const edit = (): void => {
    edits += 1;
    const id = posts[edits % posts.length];
    shell.prepare('UPDATE posts SET title = ? WHERE id = ?').run(String(edits), id);
  };
  let subscribed = false;
  for (let kill = 0; kill <= KILLS; kill += 1) {
    const server = await startServing(folder);
    onTestFinished(async () => void (await server.end('SIGKILL')));
    if (!subscribed) await listener.subscribe(server as never, 'post.published.edited');
    subscribed = true;
    for (let at = 0; at < 4; at += 1) {
      edit();
      // It chooses the moment of the kill, nothing else.
      await pause(Math.round(random() * 400));
    }
    if (kill === KILLS) {
      await untilDelivered(shell);
      await eventually(() => expect(readTree(site)).toEqual(readTree(join(folder, 'output'))));
    }
    // A server that writes meanwhile has files that are gone before they are read.
    await server.end('SIGKILL');
    expect(absentAt(site), `seed ${SEED}`).toEqual([]);
  }
  expect(early).toEqual([]);
  expect(listener.received.length).toBeGreaterThan(0);
});
