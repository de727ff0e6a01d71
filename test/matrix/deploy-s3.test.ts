// The S3 deploy against a real store in another process: only what changed is carried, with the right
// metadata; killed at any moment, no list names an object that is absent, and the next run goes on.
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { loadDriver, type SqliteConnection } from '../../src/base/sqlite/driver.ts';
import { isBlobBelow } from '../../src/content/paths/files.ts';
import { createS3Target } from '../../src/publish/deploy/s3/target.ts';
import { startCloudFront } from '../helpers/cloudfront.ts';
import { fillPublication } from '../helpers/fill-publication.ts';
import { missingBlobs } from '../helpers/packed-blobs.ts';
import { prepress, spawnPrepress } from '../helpers/run-prepress.ts';
import { DATABASE } from '../helpers/serve.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { readTree } from '../helpers/tree.ts';
import { BUCKET, type RunningStore, STORE_ENVIRONMENT, startGate, startStore } from './s3-store.ts';

const PREFIX = 'releases/live';
const POSTS = 12;

let folder: string;
let shell: SqliteConnection;
let store: RunningStore;
let client: S3Client;
let target: string[];

const build = async (): Promise<void> =>
  void (await prepress(folder, ['build'], { environment: { PREPRESS_KEEP_REPLACED_HOURS: '0' } }));

beforeAll(async () => {
  const suite = suiteFolder();
  folder = suite.path;
  store = await startStore(join(folder, 'store'));
  const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
  const { endpoint } = store;
  client = new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials,
    // The store closes connections that are idle for a while; no request meets one that is closing.
    requestHandler: { httpAgent: { keepAlive: false } },
  });
  target = ['deploy', `s3://${BUCKET}/${PREFIX}`, '--endpoint', store.endpoint];
  await prepress(folder, ['init', '--empty', '--site-url', 'https://site.test']);
  shell = new (loadDriver())(join(folder, DATABASE));
  fillPublication(shell, { posts: POSTS, label: 'first' });
  await build();
  return async () => {
    client.destroy();
    await store.end();
    shell.close();
    suite.remove();
  };
});

/** The names below a prefix, as the store gives them: a thousand at a time. */
const pagesOf = async (prefix: string): Promise<string[][]> => {
  const pages: string[][] = [];
  let token: string | undefined;
  do {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket: BUCKET, Prefix: `${prefix}/`, ContinuationToken: token }),
    );
    pages.push((page.Contents ?? []).map(({ Key = '' }) => Key.slice(prefix.length + 1)));
    token = page.NextContinuationToken;
  } while (token !== undefined);
  return pages;
};

const names = async (): Promise<string[]> => (await pagesOf(PREFIX)).flat();

const read = async (path: string) =>
  client.send(new GetObjectCommand({ Bucket: BUCKET, Key: `${PREFIX}/${path}` }));

const bodies = async (paths: readonly string[]): Promise<Map<string, string>> =>
  new Map(
    await Promise.all(
      paths.map(async (path): Promise<[string, string]> => {
        const { Body } = await read(path);
        return [path, (await Body?.transformToString()) ?? ''];
      }),
    ),
  );

const LIST = /^content\/(posts|pages|tags|authors)\/[a-z-]+\.json$/;

/**
 * Every record that a list names has its objects, by id and by slug, and the root every blob. Returns how many lists there
 * are.
 */
const expectWholeLists = async (): Promise<number> => {
  const there = new Set(await names());
  const lists = await bodies([...there].filter((path) => LIST.test(path)));
  for (const [path, body] of lists) {
    const resource = LIST.exec(path)?.[1] ?? '';
    const records = (JSON.parse(body) as Record<string, { id: string; slug: string }[]>)[resource];
    for (const { id, slug } of records ?? []) {
      expect(there.has(`content/${resource}/${id}/index.json`), `${path} names ${id}`).toBe(true);
      expect(there.has(`content/${resource}/slug/${slug}/index.json`)).toBe(true);
    }
  }
  const packed = await bodies([...there].filter((path) => path.startsWith('content/packed/')));
  expect(missingBlobs((file) => packed.get(`content/${file}`) ?? null)).toEqual([]);
  return lists.size;
};

type Report = { written: string[]; removed: string[]; unchanged: number };

const run = async (args: readonly string[] = [], more: object = {}): Promise<Report> => {
  const environment = { ...STORE_ENVIRONMENT, ...more };
  return JSON.parse(await prepress(folder, [...target, ...args, '--json'], { environment }));
};

test('killed at moments of its work, it never leaves a list ahead of its records', async () => {
  const gate = await startGate(store.endpoint);
  const args = target.map((word) => (word === store.endpoint ? gate.endpoint : word));
  for (const count of [1, 30, 60, 90]) {
    const child = spawnPrepress(folder, args, { environment: STORE_ENVIRONMENT });
    gate.onPut = (sent) => sent < count || child.kill('SIGKILL');
    await once(child, 'close');
    expect([count, child.signalCode]).toEqual([count, 'SIGKILL']);
    await expectWholeLists();
  }
  await run();
  expect(await expectWholeLists()).toBeGreaterThan(10);
  expect(await bodies(await names())).toEqual(readTree(join(folder, 'output')));
});

test('only what differs is carried, and what is gone is removed', async () => {
  const idle = await run();
  expect([idle.written, idle.removed]).toEqual([[], []]);
  const cloudfront = await startCloudFront();
  onTestFinished(cloudfront.close);
  shell.prepare("UPDATE posts SET status = 'draft' WHERE slug = 'first-1'").run();
  shell.prepare("UPDATE posts SET title = 'Other' WHERE slug = 'first-2'").run();
  fillPublication(shell, { posts: 1, label: 'second' });
  await build();
  const { written, removed } = await run(['--invalidate', 'E1'], cloudfront.environment);
  const forgotten = new Set(cloudfront.taken.flatMap(({ paths }) => paths));
  const isBlobHere = (path: string): boolean => isBlobBelow('content/', path);
  for (const path of [...written, ...removed]) {
    expect(forgotten.has(`/${path}`), path).toBe(removed.includes(path) || !isBlobHere(path));
  }
  expect(removed.filter((path) => !isBlobHere(path))).toHaveLength(8);
  expect(removed.length).toBeGreaterThan(8);
  expect(written.filter((path) => /posts\/slug\//.test(path))).toHaveLength(8);
  expect(written.filter((path) => path.includes('first-3'))).toEqual([]);
  await expectWholeLists();
  expect(await bodies(await names())).toEqual(readTree(join(folder, 'output')));
});

test('settings of hosts are left out: a bucket sends what it has', async () => {
  const settings = ['.htaccess', 'content/_headers'];
  const others = ['content/files/vercel.json'];
  const paths = [...settings, ...others];
  for (const path of paths) {
    mkdirSync(dirname(join(folder, 'output', path)), { recursive: true });
    writeFileSync(join(folder, 'output', path), '# Settings.');
  }
  expect((await run()).written).toEqual(others);
  for (const path of paths) rmSync(join(folder, 'output', path));
  expect((await run()).removed).toEqual(others);
});

test('sidecars are left out: a bucket does not choose what to send', async () => {
  for (const folderName of ['posts', 'tags']) {
    const path = join(folder, `output/content/${folderName}/index.json.gz`);
    writeFileSync(path, 'x');
    onTestFinished(() => rmSync(path));
  }
  const { written, removed } = await run();
  expect([written, removed]).toEqual([[], []]);
});

test('objects have the type and the caching of documents', async () => {
  expect(await read('content/posts/index.json')).toMatchObject({
    ContentType: 'application/json; charset=utf-8',
    CacheControl: 'public, max-age=0, must-revalidate',
  });
  expect((await read('content/404.json')).CacheControl).toBe('public, max-age=10');
});

test('of more than 1,000 objects all are listed and removed, and nothing is warned of', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error): void => void warnings.push(warning);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  const prefix = 'many';
  const bytes = Buffer.from('{}');
  const paths = Array.from({ length: 1_050 }, (_, at) => `${1_000 + at}.json`);
  Object.assign(process.env, STORE_ENVIRONMENT);
  const { signal } = new AbortController();
  const many = createS3Target({ bucket: BUCKET, prefix, endpoint: store.endpoint, signal });
  onTestFinished(many.close);
  await many.put(paths.map((path) => ({ path, size: bytes.length, read: () => bytes })));
  expect((await pagesOf(prefix)).map(({ length }) => length)).toEqual([1_000, 50]);
  const standing = await many.list();
  expect([...standing.keys()].sort()).toEqual(paths);
  await many.remove(paths);
  expect(await many.list()).toEqual(new Map());
  const names = warnings.map(({ name }) => name);
  expect(names).not.toContain('MaxListenersExceededWarning');
});
