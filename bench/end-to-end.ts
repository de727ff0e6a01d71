// The way that users feel: from a save in the admin interface, and from an edit in a Ghost that is followed, to the file, to
// the answer of nginx, to the object in an S3-compatible bucket, and to the receipt of the webhook. Once without a bucket,
// and once with one, which webhooks wait for. Idle, and beside readers of the server.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadDriver } from '../src/base/sqlite/driver.ts';
import { atMost, type Check, median } from './checks.ts';
import { makeGhostSource } from './ghost-source.ts';
import {
  end,
  type LiveServer,
  RECEIVER_ALLOWED,
  type Receiver,
  savePost,
  startReceiver,
  startServer,
  subscribe,
} from './live-server.ts';
import { findFreePort } from './processes.ts';
import { makePublication } from './publication.ts';
import { startNginx } from './serving.ts';
import { listIds, startReaders } from './start-readers.ts';

const PLACES = ['file', 'nginx', 'bucket', 'webhook'] as const;
type Place = (typeof PLACES)[number];
/** The bucket only where there is one. */
type Arrivals = Readonly<Partial<Record<Place, number>>>;

const SOURCES = ['admin interface', "Ghost's SQLite file"] as const;
type Source = (typeof SOURCES)[number];

export type EndToEndResult = {
  readonly source: Source;
  readonly hasBucket: boolean;
  readonly readers: number;
  /** Milliseconds of each edit. */
  readonly arrivals: readonly Arrivals[];
};

const POSTS = 300;
const MEMBERS_PER_POST = 10;
const EDITS = 50;
const WARM_EDITS = 8;
const READERS = 50;
const READ_EVERY_MS = 100;
const POLL_MS = 2;
/** The first edit waits until the bucket has the whole tree. */
const LIMIT_MS = 300_000;
const BUCKET = 'site';
const STORE_KEYS = {
  AWS_ACCESS_KEY_ID: 'S3RVER',
  AWS_SECRET_ACCESS_KEY: 'S3RVER',
  AWS_REGION: 'us-east-1',
  AWS_EC2_METADATA_DISABLED: 'true',
};

export const measureEndToEnd = async (parent: string, edits = EDITS): Promise<EndToEndResult[]> => {
  const results: EndToEndResult[] = [];
  for (const source of SOURCES) {
    for (const hasBucket of [false, true]) {
      const folder = join(parent, `${SOURCES.indexOf(source)}-${hasBucket}`);
      results.push(...(await measureSource({ source, hasBucket, folder, edits })));
    }
  }
  return results;
};

type Measured = {
  readonly source: Source;
  readonly hasBucket: boolean;
  readonly folder: string;
  readonly edits: number;
};

type Edit = (id: string, title: string) => Promise<void>;

const measureSource = async ({
  source,
  hasBucket,
  folder,
  edits,
}: Measured): Promise<EndToEndResult[]> => {
  const { args, makeEdit } = await OF_SOURCE[source](folder);
  const store = hasBucket ? await startStore(join(folder, 'store')) : null;
  const receiver = await startReceiver();
  const deploy = store === null ? [] : [{ target: `s3://${BUCKET}`, endpoint: store.url }];
  const environment = {
    ...STORE_KEYS,
    ...RECEIVER_ALLOWED,
    PREPRESS_DEPLOY: JSON.stringify(deploy),
  };
  const server = await startServer(folder, { args, environment });
  const nginx = await startNginx(folder, join(folder, 'nginx'));
  try {
    for (const event of ['post.published.edited', 'site.changed']) {
      await subscribe(server, receiver, event);
    }
    const ids = listIds(folder);
    const bucket = store && `${store.url}/${BUCKET}`;
    const timing = { folder, receiver, nginx: nginx.url, bucket };
    const timeEdits = async (count: number): Promise<Arrivals[]> => {
      const arrivals: Arrivals[] = [];
      for (let edit = 0; edit < count; edit += 1) {
        arrivals.push(await timeEdit(timing, ids[edit % ids.length] ?? '', makeEdit(server)));
      }
      return arrivals;
    };
    await timeEdits(WARM_EDITS);
    const idle = await timeEdits(edits);
    const readers = await startReaders(server, { folder, count: READERS, everyMs: READ_EVERY_MS });
    await sleep(1_000);
    const beside = await timeEdits(edits);
    const { faults } = await readers.end();
    if (faults > 0) throw new Error(`Readers saw ${faults} faults.`);
    return [
      { source, hasBucket, readers: 0, arrivals: idle },
      { source, hasBucket, readers: READERS, arrivals: beside },
    ];
  } finally {
    receiver.close();
    for (const running of [server, nginx, store]) if (running !== null) await end(running.child);
  }
};

type Started = {
  readonly args: readonly string[];
  readonly makeEdit: (server: LiveServer) => Edit;
};

/** Makes what is published, in `folder`; each edit resolves when it is begun, not when it is answered. */
const OF_SOURCE: Readonly<Record<Source, (folder: string) => Promise<Started>>> = {
  'admin interface': async (folder) => {
    await makePublication(join(folder, 'data/publication.db'), POSTS);
    return { args: [], makeEdit: (server) => (id, title) => savePost(server, id, title) };
  },
  "Ghost's SQLite file": async (folder) => {
    const source = join(folder, 'ghost.db');
    mkdirSync(folder, { recursive: true });
    await makeGhostSource(source, POSTS, MEMBERS_PER_POST);
    return {
      args: ['--follow', source],
      makeEdit: () => async (id, title) => {
        const ghost = new (loadDriver())(source, { timeout: LIMIT_MS });
        ghost
          .prepare("UPDATE posts SET title = ?, updated_at = datetime('now') WHERE id = ?")
          .run(title, id);
        ghost.close();
      },
    };
  },
};

type Timing = {
  readonly folder: string;
  readonly receiver: Receiver;
  readonly nginx: string;
  readonly bucket: string | null;
};

const QUIET_MS = 300;

let edits = 0;

const timeEdit = async (
  { folder, receiver, nginx, bucket }: Timing,
  id: string,
  edit: Edit,
): Promise<Arrivals> => {
  await sleep(QUIET_MS);
  edits += 1;
  const title = `Edit ${edits} of ${process.pid}`;
  const name = `content/posts/${id}/index.json`;
  const started = performance.now();
  const delivered = new Promise<number>((resolve) => {
    receiver.onDelivery = (text) => {
      if (text.includes(title)) resolve(performance.now() - started);
    };
  });
  const arrive = async (read: () => Promise<string>): Promise<number> => {
    while (!(await read()).includes(title)) {
      if (performance.now() - started > LIMIT_MS) throw new Error(`${title} did not arrive.`);
      await sleep(POLL_MS);
    }
    return performance.now() - started;
  };
  const [, file, ofNginx, ofBucket, webhook] = await Promise.all([
    edit(id, title),
    arrive(async () => readFileSync(join(folder, 'output', name), 'utf8')),
    arrive(() => readText(`${nginx}/content/posts/${id}/`)),
    bucket === null ? undefined : arrive(() => readText(`${bucket}/${name}`)),
    delivered,
  ]);
  const there = { file, nginx: ofNginx, webhook };
  return ofBucket === undefined ? there : { ...there, bucket: ofBucket };
};

/** Empty where a connection that stayed open was closed meanwhile. */
const readText = async (url: string): Promise<string> => {
  try {
    return await (await fetch(url)).text();
  } catch {
    return '';
  }
};

type Running = { readonly child: ChildProcess; readonly url: string };

/** A store with one empty bucket. */
const startStore = async (folder: string): Promise<Running> => {
  mkdirSync(folder, { recursive: true });
  const port = await findFreePort();
  const installed = createRequire(join(process.cwd(), 'package.json')).resolve(
    's3rver/package.json',
  );
  const program = join(dirname(installed), 'bin/s3rver.js');
  const options = ['-d', folder, '-a', '127.0.0.1', '-p', String(port), '--silent'];
  const child = spawn(
    process.execPath,
    // Its tokens for the next page are made by a cipher that OpenSSL calls legacy.
    ['--openssl-legacy-provider', program, ...options, '--configure-bucket', BUCKET],
    { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const url = `http://127.0.0.1:${port}`;
  while (
    !(await fetch(url).then(
      () => true,
      () => false,
    ))
  )
    await sleep(50);
  return { child, url };
};

/** Nothing is asserted of a webhook that waits for a bucket. */
const MAX_MS: Readonly<Record<Source, Partial<Record<Place, number>>>> = {
  'admin interface': { nginx: 400, webhook: 400 },
  "Ghost's SQLite file": { nginx: 1_000, webhook: 1_000 },
};

export const arrivalsAt = ({ arrivals }: EndToEndResult, place: Place): number[] =>
  arrivals.flatMap((one) => one[place] ?? []);

export const checkEndToEnd = (results: readonly EndToEndResult[]): Check[] =>
  results.flatMap((result) => {
    const { source, hasBucket, readers } = result;
    const beside = readers === 0 ? 'idle' : `beside ${readers} readers`;
    return PLACES.flatMap((place) => {
      const max = MAX_MS[source][place];
      if (max === undefined || hasBucket) return [];
      const name = `ms from ${source} to ${place}, ${beside}`;
      return [atMost('time', name, [median(arrivalsAt(result, place)), max])];
    });
  });

export const END_TO_END_PLACES = PLACES;
