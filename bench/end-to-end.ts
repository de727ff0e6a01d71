// The way that users feel: from a save in the admin interface, and from an edit in a Ghost that is followed, to the file, to
// the answer of nginx, to the object in an S3-compatible bucket, and to the receipt of the webhook. Once without a bucket,
// and once with one, which webhooks wait for. Idle, and beside readers of the server.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, type Check, median } from './checks.ts';
import { type Edit, type EditSource, SOURCES, startSource } from './edit-sources.ts';
import {
  end,
  RECEIVER_ALLOWED,
  type Receiver,
  startReceiver,
  startServer,
  subscribe,
} from './live-server.ts';
import { BUCKET, STORE_KEYS, startStore } from './object-store.ts';
import { startNginx } from './serving.ts';
import { listIds, startReaders } from './start-readers.ts';

const PLACES = ['file', 'nginx', 'bucket', 'webhook'] as const;
type Place = (typeof PLACES)[number];
/** The bucket only where there is one. */
type Arrivals = Readonly<Partial<Record<Place, number>>>;

export type EndToEndResult = {
  readonly source: EditSource;
  readonly hasBucket: boolean;
  readonly readers: number;
  /** Milliseconds of each edit. */
  readonly arrivals: readonly Arrivals[];
};

const WARM_EDITS = 8;
const READERS = 50;
const READ_EVERY_MS = 100;
/** From one look at a place to the next: a look at the bucket takes the store's processor from what puts. */
const POLL_MS = { file: 2, nginx: 4, bucket: 10 };
/** The first edit waits until the bucket has the whole tree. */
const LIMIT_MS = 300_000;

export const measureEndToEnd = async (parent: string, edits: number): Promise<EndToEndResult[]> => {
  const results: EndToEndResult[] = [];
  for (const source of SOURCES) {
    // A bucket gets the same from either Ghost.
    for (const hasBucket of source === "Ghost's MariaDB" ? [false] : [false, true]) {
      process.stderr.write(`${source}${hasBucket ? ', with a bucket' : ''}\n`);
      const folder = join(parent, `${SOURCES.indexOf(source)}-${hasBucket}`);
      results.push(...(await measureSource({ source, hasBucket, folder, edits })));
    }
  }
  return results;
};

type Measured = {
  readonly source: EditSource;
  readonly hasBucket: boolean;
  readonly folder: string;
  readonly edits: number;
};

const measureSource = async ({
  source,
  hasBucket,
  folder,
  edits,
}: Measured): Promise<EndToEndResult[]> => {
  const started = await startSource(source, folder);
  if (started === null) return [];
  const store = hasBucket ? await startStore(join(folder, 'store')) : null;
  const receiver = await startReceiver();
  const deploy = store === null ? [] : [{ target: `s3://${BUCKET}`, endpoint: store.url }];
  const environment = {
    ...STORE_KEYS,
    ...RECEIVER_ALLOWED,
    PREPRESS_DEPLOY: JSON.stringify(deploy),
  };
  const server = await startServer(folder, { args: started.args, environment });
  const nginx = await startNginx(folder, join(folder, 'nginx'));
  try {
    for (const event of ['post.published.edited', 'site.changed']) {
      await subscribe(server, receiver, event);
    }
    const ids = listIds(folder);
    const bucket = store && `${store.url}/${BUCKET}`;
    const timing = { folder, receiver, nginx: nginx.url, bucket };
    const makeEdit = await started.makeEdit(server);
    const timeEdits = async (count: number): Promise<Arrivals[]> => {
      const arrivals: Arrivals[] = [];
      for (let edit = 0; edit < count; edit += 1) {
        arrivals.push(await timeEdit(timing, ids[edit % ids.length] ?? '', makeEdit));
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
    await started.end();
  }
};

type Timing = {
  readonly folder: string;
  readonly receiver: Receiver;
  readonly nginx: string;
  readonly bucket: string | null;
};

const QUIET_MS = 150;

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
  const arrive = async (at: keyof typeof POLL_MS, read: () => Promise<string>): Promise<number> => {
    while (!(await read()).includes(title)) {
      if (performance.now() - started > LIMIT_MS) throw new Error(`${title} did not arrive.`);
      await sleep(POLL_MS[at]);
    }
    return performance.now() - started;
  };
  const [, file, ofNginx, ofBucket, webhook] = await Promise.all([
    edit(id, title),
    arrive('file', async () => readFileSync(join(folder, 'output', name), 'utf8')),
    arrive('nginx', () => readText(`${nginx}/content/posts/${id}/`)),
    bucket === null ? undefined : arrive('bucket', () => readText(`${bucket}/${name}`)),
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

/** Nothing is asserted of a webhook that waits for a bucket. */
const MAX_MS: Readonly<Record<EditSource, Partial<Record<Place, number>>>> = {
  'admin interface': { nginx: 400, webhook: 400 },
  "Ghost's SQLite file": { nginx: 1_000, webhook: 1_000 },
  "Ghost's MariaDB": { nginx: 1_000, webhook: 1_000 },
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
