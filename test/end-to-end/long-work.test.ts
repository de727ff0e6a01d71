// Long work of a running server is done by threads: a post of 600 KB is saved, read and built by them, and what they write is
// what is verified; so are the lists of a long table, and those of a short one are not.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { withPreload } from '../helpers/preload.ts';
import { prepress } from '../helpers/run-prepress.ts';
import { openShell, type Serving, startServing } from '../helpers/serve.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';

const suite = suiteFolder();
const STARTED = join(suite.path, 'started');
/** Writes down which threads the server's own thread starts. */
const NOTING = `
import threads from 'node:worker_threads';
import { appendFileSync } from 'node:fs';
import { basename } from 'node:path';
if (threads.isMainThread) {
  const { Worker } = threads;
  threads.Worker = class extends Worker {
    constructor(file, options) {
      super(file, options);
      appendFileSync(${JSON.stringify(STARTED)}, basename(String(file), '.js') + '\\n');
    }
  };
}`;

let serving: Serving;
beforeAll(async () => {
  await prepress(suite.path, ['init', '--site-url', 'https://site.test', '--empty']);
  writeFileSync(STARTED, '');
  serving = await startServing(suite.path, { environment: withPreload(suite.path, NOTING) });
});
afterAll(async () => {
  await serving.end();
  suite.remove();
});

/** How many of a kind so far. */
const started = (worker: string): number =>
  readFileSync(STARTED, 'utf8')
    .split('\n')
    .filter((name) => name === worker).length;

type Post = { readonly id: string; readonly updated_at: string; readonly html: string };

const admin = async (method: string, path: string, post?: object): Promise<Post> => {
  const body = post && { posts: [post] };
  const answer = (await serving.admin(method, path, body)) as { posts?: Post[] } | null;
  return answer?.posts?.[0] as Post;
};

const HTML = `<p>${'word '.repeat(120_000)}</p>`;
const shown = async (text: string): Promise<void> =>
  eventually(() => {
    const file = join(suite.path, 'output/content/posts/slug/long/index.json');
    expect(existsSync(file) && readFileSync(file, 'utf8').includes(text)).toBe(true);
  });

test('threads save, read, publish and delete it', async () => {
  const calls = () => started('job-worker');
  let post = await admin('POST', '/posts/?source=html', { title: 'Long', html: HTML });
  expect([post.html, calls()]).toEqual([HTML, 1]);
  expect((await admin('GET', `/posts/${post.id}/`)).html).toBe(HTML);
  expect((await admin('GET', '/posts/slug/long/')).html).toBe(HTML);
  expect((await admin('GET', '/posts/?limit=1')).html).toBe(HTML);
  expect(calls()).toBe(4);
  await admin('POST', '/posts/?source=html', { title: 'Short', html: '<p>x</p>' });
  // What is not published is not rendered.
  expect([calls(), started('build-worker')]).toEqual([4, 0]);
  const { updated_at } = post;
  post = await admin('PUT', `/posts/${post.id}/`, { updated_at, status: 'published' });
  await shown('word word');
  expect([calls(), started('build-worker')]).toEqual([5, 1]);
  await prepress(suite.path, ['verify']);
  await admin('DELETE', `/posts/${post.id}/`);
  expect(calls()).toBe(6);
});

const INSERT = `WITH RECURSIVE n(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n WHERE v < 2001)
  INSERT INTO members (id, uuid, email, name, created_at) SELECT printf('%024x', v), 'u' || v,
    v || '@example.com', 'Member ' || v, '2026-01-01T00:00:00.000Z' FROM n`;

test('a thread converts a body of any length that a post may have', async () => {
  const before = started('job-worker');
  const html = HTML.repeat(3);
  const asked = serving.admin('POST', '/bodies/', { bodies: [{ html }] });
  await expect(asked).resolves.toEqual({ bodies: [{ html, lexical: null }] });
  expect(started('job-worker')).toBe(before + 1);
});

test('a thread lists the members of a large publication', async () => {
  const list = (query: string): Promise<unknown> => serving.admin('GET', `/members/${query}`);
  await list('?search=member');
  expect(started('read-worker')).toBe(0);
  openShell(suite.path).exec(INSERT);
  expect(await list('?search=member%202001')).toMatchObject({
    members: [{ name: 'Member 2001' }],
    meta: { pagination: { total: 1 } },
  });
  expect(started('read-worker')).toBe(1);
  await expect(list('?filter=nothing:1')).rejects.toThrow('400');
});
