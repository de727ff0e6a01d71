import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundleEdge } from '../../src/hosts/bundle.ts';
import { askAt } from './ask.ts';
import { checkHost, type HostUnderTest } from './check-host.ts';
import { hostSiteOf } from './host-site.ts';
import { buildMatrixSite } from './site.ts';
import { startWorkerd } from './workerd-process.ts';

const start = async (
  keys: readonly string[] | null,
  basePath = '',
): Promise<HostUnderTest & { end: () => Promise<void> }> => {
  const site = await buildMatrixSite(basePath);
  const keyHashes = keys?.map((key) => createHash('sha256').update(key).digest('hex')) ?? null;
  const worker = await bundleEdge({ entry: 'worker', site: hostSiteOf(site, { keyHashes }) });
  const folder = join(dirname(site.output), 'workerd');
  mkdirSync(folder);
  const workerd = await startWorkerd({ folder, output: site.output, worker });
  const end = async (): Promise<void> => {
    await workerd.end();
    site.remove();
  };
  return { site, ask: askAt(workerd.port), end };
};

describe.each(['', '/blog'])('workerd at "%s"', (basePath) => {
  let running: HostUnderTest;

  beforeAll(async () => {
    const started = await start(null, basePath);
    running = started;
    return started.end;
  });

  checkHost(() => running);
});

test('the worker asks for the content key when it was bundled with their hashes', async () => {
  const { ask, end } = await start(['right']);
  try {
    const answers = await Promise.all(
      ['', '?key=wrong', '?key=right', '?key=right&key=right', 'index.json'].map((query) =>
        ask({ path: `/content/posts/${query}` }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([403, 401, 200, 400, 403]);
    for (const { headers } of answers) expect(headers['access-control-allow-origin']).toBe('*');
    const [missing] = answers;
    const { errors } = JSON.parse(missing?.body.toString() ?? '') as { errors: object[] };
    expect(Object.keys(errors[0] ?? {})).toHaveLength(9);
    expect((await ask({ path: '/content/images/a.png' })).status).toBe(200);
  } finally {
    await end();
  }
});

test('the worker is under 10 kB minified, and holds no key', async () => {
  const site = hostSiteOf({ output: '/o', names: [] } as never, { keyHashes: ['0'.repeat(64)] });
  const worker = await bundleEdge({ entry: 'worker', site });
  expect(Buffer.byteLength(worker)).toBeLessThan(10_000);
});
