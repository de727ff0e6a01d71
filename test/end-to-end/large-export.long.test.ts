// An export of 1 GB (32 MB in the short form) is imported in a bounded memory; one that breaks off near its end is refused
// with one sentence, and nothing of it is there.
import { createWriteStream, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { expect, test } from 'vitest';
import { sized } from '../battery/size.ts';
import { memoryMb } from '../helpers/open-files.ts';
import { prepress, spawnPrepress } from '../helpers/run-prepress.ts';
import { openShell } from '../helpers/serve.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const POSTS = sized({ short: 32, long: 1_000 });
const BODY = 'A word. '.repeat(125_000);
const MEMORY_MB = 400;
const TIME = '2026-01-01T00:00:00.000Z';

function* exportText(): Generator<string> {
  const site = [{ id: '1', key: 'title', value: 'Large', group: 'site', type: 'string' }];
  yield `{"db":[{"meta":{"version":"6.65.0"},"data":{"settings":${JSON.stringify(site)},"posts":[`;
  for (let at = 0; at < POSTS; at += 1) {
    const id = at.toString(16).padStart(24, '0');
    const post = { id, uuid: `11111111-1111-4111-8111-${id.slice(12)}`, title: `Post ${at}` };
    const times = { created_at: TIME, updated_at: TIME, published_at: TIME };
    const rest = { slug: `post-${at}`, status: 'published', type: 'post', ...times };
    yield `${at === 0 ? '' : ','}${JSON.stringify({ ...post, ...rest, html: `<p>${BODY}</p>` })}`;
  }
  yield ']}}]}';
}

/** Runs it to its end, asking for its memory meanwhile. */
const importing = async (folder: string) => {
  const child = spawnPrepress(folder, ['import', 'export.json', '--site-url', 'https://site.test']);
  let peakMb = 0;
  const timer = setInterval(() => {
    if (child.exitCode !== null || child.pid === undefined) return;
    try {
      const seenMb = memoryMb(child.pid, 'VmHWM');
      // One that has just ended has no figure.
      if (seenMb > peakMb) peakMb = seenMb;
    } catch {
      // Nor a file.
    }
  }, 50);
  const [stderr, code] = await Promise.all([
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('close', resolve)),
    text(child.stdout),
  ]);
  clearInterval(timer);
  return { code, stderr, peakMb };
};

test('a large export, whole and broken off', async ({ skip }) => {
  skip(process.platform !== 'linux', 'asks /proc for the memory');
  const folder = temporaryFolder();
  await prepress(folder, ['init', '--empty']);
  const file = join(folder, 'export.json');
  await pipeline(exportText, createWriteStream(file));
  const { size } = statSync(file);
  expect(size).toBeGreaterThan(POSTS * 1_000_000);
  const count = openShell(folder).prepare('SELECT count(*) FROM posts').pluck();

  truncateSync(file, size - 500_000);
  const broken = await importing(folder);
  expect(broken.code).toBe(1);
  expect(broken.stderr).toMatch(/export\.json .*\n.*nothing was changed\.\n$/);
  expect(count.get()).toBe(0);

  await pipeline(exportText, createWriteStream(file));
  const whole = await importing(folder);
  expect(whole.code, whole.stderr).toBe(0);
  expect(count.get()).toBe(POSTS);
  console.log(`an export of ${Math.round(size / 1e6)} MB: peak memory ${whole.peakMb} MB`);
  expect(whole.peakMb).toBeGreaterThan(0);
  expect(whole.peakMb).toBeLessThan(MEMORY_MB);
});
