// Pictures in sizes: how long a build takes to make them, beside sharp alone in a loop over the same pictures, and how long
// requests of a server take meanwhile.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { loadDriver } from '../src/base/sqlite/driver.ts';
import { prepress, SITE_URL } from './builds.ts';
import { atMost, type Check, median } from './checks.ts';
import { askAdmin, end, startServer } from './live-server.ts';
import { findPeakMb, run } from './processes.ts';
import { makePublication } from './publication.ts';
import { measureSizeCosts, type SizeCosts } from './size-costs.ts';

export type PicturesResult = {
  readonly pictures: number;
  readonly seconds: number;
  readonly sharpSeconds: number;
  /** Milliseconds of a request while pictures are made, and while none are. */
  readonly busyMs: number;
  readonly idleMs: number;
  /** Of the process that makes them. */
  readonly peakMb: number | null;
} & SizeCosts;

const [WIDTH, HEIGHT] = [2_400, 1_600];
const WIDTHS = [600, 1_000, 1_600, 2_400];
/** So many differ; the others have other bytes at their end. */
const KINDS = 8;
const REQUESTS = 200;
const EVERY_MS = 20;

export const measurePictures = async (place: string, pictures: number): Promise<PicturesResult> => {
  const images = join(place, 'media/images');
  mkdirSync(images, { recursive: true });
  mkdirSync(join(place, 'data'));
  const names = await makePictures(images, pictures);
  const database = join(place, 'data/publication.db');
  await makePublication(database, 10);
  showPictures(database, names);
  const loop = async (from: number, to: number): Promise<number> => {
    const text = loopOf(images, place, names.slice(from, to));
    const args = ['--input-type=module', '-e', text];
    return (await run(process.execPath, args, { cwd: process.cwd() })).seconds;
  };
  // A half before and a half after: a machine that grows slower, or faster, does so for both.
  const before = await loop(0, pictures / 2);
  const { seconds } = await prepress(place, ['build', '--json', '--site-url', SITE_URL]);
  const sharpSeconds = before + (await loop(pictures / 2, pictures));
  for (const name of ['data/sizes', 'output']) {
    rmSync(join(place, name), { recursive: true, force: true });
  }
  const requests = await measureRequests(place);
  const costs = await measureSizeCosts(place);
  return { pictures, seconds, sharpSeconds, ...requests, ...costs };
};

const makePictures = async (folder: string, count: number): Promise<string[]> => {
  const kinds = await Promise.all(
    Array.from({ length: KINDS }, (_, kind) =>
      sharp({
        create: {
          ...{ width: WIDTH, height: HEIGHT, channels: 3, background: '#888' },
          noise: { type: 'gaussian', mean: 90 + kind * 10, sigma: 20 },
        },
      })
        .blur(2)
        .jpeg({ quality: 90 })
        .toBuffer(),
    ),
  );
  return Array.from({ length: count }, (_, at) => {
    const name = `${at}.jpg`;
    const bytes = [kinds[at % KINDS] ?? Buffer.of(), Buffer.from(String(at))];
    writeFileSync(join(folder, name), Buffer.concat(bytes));
    return name;
  });
};

const showPictures = (database: string, names: readonly string[]): void => {
  const connection = new (loadDriver())(database);
  const html = names.map((name) => `<img src="__GHOST_URL__/content/images/${name}">`).join('');
  connection
    .prepare(
      "UPDATE posts SET html = ? WHERE id = (SELECT min(id) FROM posts WHERE status = 'published')",
    )
    .run(html);
  connection.close();
};

/** Sharp as Ghost calls it. */
const loopOf = (images: string, place: string, names: readonly string[]): string => `
import sharp from 'sharp';
sharp.cache(false);
sharp.concurrency(1);
for (const name of ${JSON.stringify(names)}) {
  for (const width of ${JSON.stringify(WIDTHS)}) {
    await sharp(${JSON.stringify(`${images}/`)} + name)
      .autoOrient()
      .resize(width, null, { withoutEnlargement: true })
      .toFile(${JSON.stringify(`${place}/`)} + width + '.jpg');
  }
}`;

type Requests = Pick<PicturesResult, 'busyMs' | 'idleMs' | 'peakMb'>;

const measureRequests = async (place: string): Promise<Requests> => {
  const server = await startServer(place);
  try {
    const isBusy = async (): Promise<boolean> => {
      const answer = await askAdmin(server, 'GET', ['/state/']);
      return (answer as { state: { sizes: object | null } }).state.sizes !== null;
    };
    const read = async (): Promise<number> => {
      const started = performance.now();
      await fetch(`${server.url}/content/posts/?key=${server.contentKey}`).then((one) =>
        one.text(),
      );
      return performance.now() - started;
    };
    const busy: number[] = [];
    let peakMb: number | null = null;
    while (busy.length < REQUESTS && (busy.length === 0 || (await isBusy()))) {
      busy.push(await read());
      await sleep(EVERY_MS);
    }
    while (await isBusy()) {
      peakMb = findPeakMb(childOf(server.child.pid)) ?? peakMb;
      await sleep(EVERY_MS * 10);
    }
    const idle: number[] = [];
    while (idle.length < REQUESTS) {
      idle.push(await read());
      await sleep(EVERY_MS);
    }
    return { busyMs: median(busy), idleMs: median(idle), peakMb };
  } finally {
    await end(server.child);
  }
};

const childOf = (pid: number | undefined): number | undefined => {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0]);
  } catch {
    return undefined;
  }
};

export const checkPictures = (result: PicturesResult): Check[] => [
  atMost('time', 'pictures in sizes, times sharp alone', [
    result.seconds / result.sharpSeconds,
    1.15,
  ]),
  atMost('time', 'a request beside them, more ms than idle', [result.busyMs - result.idleMs, 50]),
  atMost('memory', 'peak memory of the process that makes them in MB', [result.peakMb ?? 0, 300]),
];
