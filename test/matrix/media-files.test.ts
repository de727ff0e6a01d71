// Files of the media folder and of the bucket beside each other: none is lost, none comes back that was removed, and what fails
// is named by what failed.
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { listMediaFiles } from '../../src/publication/store/content/media-files.ts';
import { updateMedia } from '../../src/publish/cycle/media.ts';
import { createMediaBucket, type MediaBucket } from '../../src/publish/cycle/media-bucket.ts';
import { createS3Target } from '../../src/publish/deploy/s3/target.ts';
import { bringImages } from '../../src/serve/workspace/import-images.ts';
import { createReport } from '../../src/serve/workspace/report.ts';
import { openWorkspace } from '../../src/serve/workspace/workspace.ts';
import { dataPathsOf } from '../../src/settings/data-paths.ts';
import { createPublication, type Publication } from '../helpers/publication.ts';
import { prepress } from '../helpers/run-prepress.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { readTree, testConfig } from '../helpers/tree.ts';
import { BUCKET, STORE_ENVIRONMENT, startStore } from './s3-store.ts';

let endpoint = '';
let publication: Publication;

beforeEach(async () => {
  for (const [name, value] of Object.entries(STORE_ENVIRONMENT)) vi.stubEnv(name, value);
  const store = await startStore(join(temporaryFolder(), 'store'));
  endpoint = store.endpoint;
  publication = await createPublication();
  return async () => {
    vi.unstubAllEnvs();
    await store.end();
  };
});

type Machine = {
  readonly open: () => MediaBucket;
  readonly put: (path: string, text: string) => void;
  readonly files: () => Record<string, string>;
  readonly media: string;
  /** What it knows of earlier rows goes. */
  readonly forget: () => void;
};

/** One of those that have the same rows and bucket. */
const machine = (): Machine => {
  const folder = temporaryFolder();
  const database = join(folder, 'publication.db');
  const config = testConfig({ database, output: join(folder, 'output') });
  const paths = { ...dataPathsOf(config), media: join(folder, 'media') };
  const media = { target: `s3://${BUCKET}/pictures`, endpoint };
  return {
    open: () => {
      const bucket = createMediaBucket({ media, paths, store: publication.store });
      if (bucket === null) throw new Error('The setting names no bucket.');
      onTestFinished(bucket.close);
      return bucket;
    },
    put: (path, text) => {
      mkdirSync(dirname(join(paths.media, path)), { recursive: true });
      writeFileSync(join(paths.media, path), text);
    },
    files: () => Object.fromEntries(readTree(paths.media)),
    media: paths.media,
    forget: () => rmSync(paths.mediaIndex),
  };
};

const rows = (): unknown[] =>
  publication.shell.prepare('SELECT path FROM media ORDER BY path').pluck().all();

test('a file of other bytes is kept under another name, and named; an earlier one of the bucket makes way', async () => {
  const [one, other] = [machine(), machine()];
  one.put('images/a.png', 'first');
  const there = one.open();
  const here = other.open();
  await there.addRest(true);
  expect(await here.fetch()).toEqual([]);
  one.put('images/a.png', 'second');
  await there.add(temporaryFile('second'), 'images/a.png', true);
  expect(await here.fetch()).toEqual([]);
  expect(other.files()).toEqual({ 'images/a.png': 'second' });
  other.put('images/a.png', 'imported');
  const kept = 'images/a-5f54227b.png';
  expect(await here.fetch(true)).toEqual([
    `The picture images/a.png was another file on this machine, which is kept as ${kept}.`,
  ]);
  expect(other.files()).toEqual({ [kept]: 'imported', 'images/a.png': 'second' });
  await here.addRest(true);
  expect(rows()).toEqual([kept, 'images/a.png']);
});

const temporaryFile = (text: string): string => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, text);
  return file;
};

test('a file whose row was removed is not put there again, but what is new is', async () => {
  const one = machine();
  for (const name of ['a', 'b']) one.put(`images/${name}.png`, name);
  const first = one.open();
  expect(await first.addRest(true)).toEqual([]);
  expect(await first.fetch()).toEqual([]);
  publication.shell.exec("DELETE FROM media WHERE path = 'images/a.png'");
  one.put('images/c.png', 'c');
  const left = [{ path: 'images/a.png', reason: expect.stringContaining('no row') }];
  for (const bucket of [first, one.open()]) {
    expect(await bucket.addRest(true)).toEqual(left);
    expect(rows()).toEqual(['images/b.png', 'images/c.png']);
  }
  const all = ['images/a.png', 'images/b.png', 'images/c.png'];
  one.put('images/a.png', 'another');
  expect(await first.addRest(true)).toEqual([]);
  expect(rows()).toEqual(all);
  // What docs/scaling.md advises where rows were lost.
  await first.fetch();
  publication.shell.exec("DELETE FROM media WHERE path = 'images/a.png'");
  one.forget();
  expect(await one.open().addRest(true)).toEqual([]);
  expect(rows()).toEqual(all);
});

test('what an import brings beside a running server is put in the bucket', async () => {
  const folder = temporaryFolder();
  const config = testConfig({
    database: join(folder, 'data/publication.db'),
    output: join(folder, 'output'),
    media: { target: `s3://${BUCKET}/pictures`, endpoint },
  });
  const open = async () => {
    const workspace = await openWorkspace(config, { create: true });
    onTestFinished(workspace.close);
    return workspace;
  };
  const server = await open();
  await updateMedia(server.paths, server);
  mkdirSync(join(folder, 'from/images'), { recursive: true });
  writeFileSync(join(folder, 'from/images/a.png'), 'a');
  const brought = { siteUrl: undefined, report: createReport({ json: true }) };
  const from = join(folder, 'from');
  await bringImages({ ...brought, from, workspace: await open() });
  await updateMedia(server.paths, server);
  expect((await listMediaFiles(server.store)).map(({ path }) => path)).toEqual(['images/a.png']);
});

test('a media folder that has all files is not written to, and what stands in the way of others is coded', async () => {
  const [one, other, third] = [machine(), machine(), machine()];
  for (const { put } of [one, other]) put('images/a.png', 'a');
  await one.open().addRest(true);
  utimesSync(other.media, 1, 1);
  const here = other.open();
  for (const isFull of [false, true]) expect(await here.fetch(isFull)).toEqual([]);
  expect(statSync(other.media).mtimeMs).toBe(1_000);
  writeFileSync(third.media, 'a file');
  await expect(third.open().fetch()).rejects.toMatchObject({ code: 'OUTPUT_UNWRITABLE' });
});

test.each([
  ['é'.repeat(125), '.jpeg', `${'é'.repeat(120)}-5f54227b.jpeg`],
  [`x${'😀'.repeat(62)}`, '.png', `x${'😀'.repeat(60)}-5f54227b.png`],
  ['x', `.${'y'.repeat(250)}`, `x.${'y'.repeat(244)}-5f54227b`],
])('a name that has no room for a hash is cut off before it: %#', async (name, ending, kept) => {
  const [one, other] = [machine(), machine()];
  const path = `images/${name}${ending}`;
  one.put(path, 'first');
  other.put(path, 'imported');
  await one.open().addRest(true);
  expect(await other.open().fetch()).toEqual([expect.stringContaining(`kept as images/${kept}.`)]);
  expect(readdirSync(join(other.media, 'images')).sort()).toEqual(
    [`${name}${ending}`, kept].sort(),
  );
});

const FILE_BYTES = 200_000_000;

test('a large file is put there in pieces', async () => {
  const file = temporaryFile('');
  truncateSync(file, FILE_BYTES);
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().arrayBuffers);
  }, 1);
  onTestFinished(() => clearInterval(watch));
  expect(await machine().open().add(file, 'media/film.mp4')).toBe(true);
  expect(most).toBeLessThan(FILE_BYTES / 2);
});

test('a full disk is not said to be the fault of the bucket', async () => {
  const target = createS3Target({ bucket: BUCKET, prefix: '', endpoint });
  onTestFinished(target.close);
  await target.putFile({ path: 'a', from: temporaryFile('bytes'), size: 5 });
  expect([await target.has('a'), await target.has('b')]).toEqual([true, false]);
  const to = join(temporaryFolder(), 'a');
  expect([await target.fetch('a', to), await target.fetch('b', to)]).toEqual([true, false]);
  expect(readFileSync(to, 'utf8')).toBe('bytes');
  await expect(target.fetch('a', '/dev/full')).rejects.toMatchObject({
    code: 'OUTPUT_UNWRITABLE',
    message: expect.stringMatching(/^The disk was full or out of inodes at write of \/dev\/full/),
  });
});

test('a file that cannot be read is not said to be the fault of the bucket, and no put is tried again in vain', async () => {
  const ending = new AbortController();
  const { signal } = ending;
  const target = createS3Target({ bucket: BUCKET, prefix: '', endpoint, signal });
  onTestFinished(target.close);
  const absent = join(temporaryFolder(), 'absent');
  const folder = temporaryFolder();
  for (const [from, reason] of [
    [absent, `no such file or directory at open of ${absent} (ENOENT)`],
    [folder, `illegal operation on a directory at read of ${folder} (EISDIR)`],
  ] as const) {
    await expect(target.putFile({ path: 'a', from, size: 5 })).rejects.toMatchObject({
      code: 'FILE_FAILED',
      message: `A file cannot be read: ${reason}.`,
    });
  }
  const send = vi.spyOn(S3Client.prototype, 'send');
  onTestFinished(() => send.mockRestore());
  const from = temporaryFile('bytes');
  ending.abort();
  await expect(target.putFile({ path: 'a', from, size: 5 })).rejects.toMatchObject({
    code: 'DEPLOY_FAILED',
  });
  expect(send).toHaveBeenCalledTimes(1);
});

test('sizes are made and deployed of pictures that came from the bucket, and are no files of it', async () => {
  const folder = temporaryFolder();
  const at = (prefix: string) => ({ target: `s3://${BUCKET}/${prefix}`, endpoint });
  const environment = {
    ...STORE_ENVIRONMENT,
    PREPRESS_MEDIA: JSON.stringify(at('pictures')),
    PREPRESS_DEPLOY: JSON.stringify(at('live')),
    PREPRESS_IMAGES_SIZES: '60',
  };
  const listOf = async (prefix: string): Promise<string[]> => {
    const target = createS3Target({ bucket: BUCKET, prefix, endpoint });
    onTestFinished(target.close);
    return [...(await target.list()).keys()].sort();
  };
  const output = join(folder, 'output');
  await prepress(folder, ['init']);
  await prepress(folder, ['build'], { environment });
  const live = [...readTree(output).keys()].sort();
  expect(await listOf('live')).toEqual(live);
  expect(live.filter((path) => path.includes('images/size/w60/'))).not.toEqual([]);
  const objects = await listOf('pictures');
  expect(objects).toHaveLength(new Set(readTree(join(folder, 'media')).values()).size);
  for (const name of ['media', 'output', 'data/sizes', 'data/media.db'])
    rmSync(join(folder, name), { recursive: true });
  await prepress(folder, ['build'], { environment });
  expect([...readTree(output).keys()].sort()).toEqual(live);
  expect([await listOf('live'), await listOf('pictures')]).toEqual([live, objects]);
});
