// Pages beside a program that publishes: rendered once the interface shows the change, by one run at a time; a run that
// fails is told, and holds up neither publishing nor the next run.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { PrepressError } from '../../../../src/base/errors.ts';
import type { RenderReport } from '../../../../src/pages/eleventy/render-pages.ts';
import { db } from '../../../../src/publication/store/db.ts';
import { createFollowing } from '../../../../src/serve/program/following.ts';
import { createPageRenderer } from '../../../../src/serve/program/pages.ts';
import { createPublishing } from '../../../../src/serve/program/publishing.ts';
import { createLogger } from '../../../../src/serve/server/log/logger.ts';
import { createReport } from '../../../../src/serve/workspace/report.ts';
import { openWorkspace } from '../../../../src/serve/workspace/workspace.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { openPublication } from '../../../helpers/publication.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';
import { testConfig } from '../../../helpers/tree.ts';

const thread = vi.hoisted(() => ({
  render: vi.fn<() => Promise<unknown>>(async () => null),
  end: async () => undefined,
}));
vi.mock('../../../../src/pages/eleventy/page-thread.ts', () => ({
  createPageThread: () => thread,
}));

beforeEach(() => void thread.render.mockReset());
afterEach(() => void thread.render.mockReset());

const NOTHING: RenderReport = {
  isRendered: true,
  written: [],
  removed: [],
  blocked: [],
  sources: [],
  warnings: [],
  milliseconds: 0,
};

/** A publication with one post, and what publishes it. */
const startPublishing = async () => {
  const folder = temporaryFolder();
  const config = testConfig({
    database: join(folder, 'publication.db'),
    output: join(folder, 'output'),
    site: true,
  });
  const { insert, store, close } = await openPublication(folder);
  insert('posts', {
    title: 'First',
    status: 'published',
    published_at: '2026-01-01T10:00:00.000Z',
  });
  const workspace = await openWorkspace(config);
  const logger = createLogger('silent');
  const report = createReport({ json: true });
  const following = createFollowing(workspace, { logger, report });
  const publishing = createPublishing(workspace, {
    ...{ logger, report, following, metrics: null },
    ended: new Promise(() => undefined),
  });
  onTestFinished(async () => {
    await publishing.close();
    await workspace.close();
    await close();
  });
  const shown = (): unknown => {
    const list = readFileSync(join(folder, 'output/content/posts/index.json'), 'utf8');
    return JSON.parse(list).posts[0].title;
  };
  const rename = (title: string): Promise<unknown> =>
    store.write((tx) => db(tx).updateTable('posts').set({ title }).execute());
  return { publishing, shown, rename };
};

test('a run of pages begins when the interface shows the change', async () => {
  const { publishing, shown, rename } = await startPublishing();
  const seen: unknown[] = [];
  thread.render.mockImplementation(async () => {
    seen.push(shown());
    return NOTHING;
  });
  await publishing.start();
  await rename('Second');
  publishing.port.wake();
  await eventually(() => expect(seen.at(-1)).toBe('Second'));
  expect(seen).toEqual(['First', 'Second']);
});

test('pages that cannot be rendered hold up no publish, and are tried again after the next', async () => {
  const { publishing, shown, rename } = await startPublishing();
  thread.render.mockRejectedValue(new PrepressError('PAGES_INVALID', 'A template is broken.'));
  await publishing.start();
  await rename('Second');
  publishing.port.wake();
  await eventually(() => expect(thread.render).toHaveBeenCalledTimes(2));
  expect(shown()).toBe('Second');
  const lastError = { code: 'PAGES_INVALID', message: 'A template is broken.' };
  expect(publishing.port.state()).toMatchObject({ lastError: null, pages: { lastError } });
  thread.render.mockResolvedValue(NOTHING);
  await rename('Third');
  publishing.port.wake();
  await eventually(() =>
    expect(publishing.port.state()).toMatchObject({ pages: { lastError: null } }),
  );
});

test('runs follow each other; a failure is told unless another run was asked for meanwhile', async () => {
  const failures: unknown[] = [];
  const reports: RenderReport[] = [];
  const pages = createPageRenderer(
    { config: testConfig() },
    {
      distanceMs: 0,
      onRendered: (report) => void reports.push(report),
      onFailed: (error) => void failures.push(error),
    },
  );
  let running = 0;
  let fail: (error: Error) => void = () => undefined;
  thread.render.mockImplementationOnce(async () => {
    running += 1;
    await new Promise((_, reject) => {
      fail = reject;
    }).finally(() => {
      running -= 1;
    });
  });
  thread.render.mockImplementationOnce(async () => {
    expect(running).toBe(0);
    return NOTHING;
  });
  pages.wake();
  pages.wake();
  expect(thread.render).toHaveBeenCalledTimes(1);
  fail(new Error('What was read was replaced.'));
  await pages.settle();
  expect([reports, failures]).toEqual([[NOTHING], []]);
  const broken = new Error('A template is broken.');
  thread.render.mockRejectedValueOnce(broken);
  pages.wake();
  await pages.settle();
  expect(failures).toEqual([broken]);
  await pages.close();
});

test('a run keeps a distance from the one before, and the end does not wait for it', async () => {
  const pages = createPageRenderer(
    { config: testConfig() },
    { distanceMs: 3_600_000, onRendered: () => undefined, onFailed: () => undefined },
  );
  pages.wake();
  await pages.settle();
  pages.wake();
  await pages.close();
  expect(thread.render).toHaveBeenCalledTimes(1);
});

test('a run that failed is tried again, though nobody asks', async () => {
  const onRendered = vi.fn();
  thread.render.mockRejectedValueOnce(new Error('a template')).mockResolvedValue(NOTHING);
  const options = { onRendered, onFailed: () => undefined, distanceMs: 0, retryMs: 20 };
  const pages = createPageRenderer({ config: testConfig({}) }, options);
  onTestFinished(() => pages.close());
  pages.wake();
  await eventually(() => expect(onRendered).toHaveBeenCalledTimes(1));
  expect(pages.state()).toEqual({ lastError: null });
});

test('tried again, the same fault is told once', async () => {
  const [onRendered, onFailed] = [vi.fn(), vi.fn()];
  for (const message of ['one', 'one', 'one', 'two']) {
    thread.render.mockRejectedValueOnce(new PrepressError('PAGES_INVALID', message));
  }
  thread.render.mockResolvedValue(NOTHING);
  const options = { onRendered, onFailed, distanceMs: 0, retryMs: 5 };
  const pages = createPageRenderer({ config: testConfig({}) }, options);
  onTestFinished(() => pages.close());
  pages.wake();
  await eventually(() => expect(onRendered).toHaveBeenCalledTimes(1));
  expect(onFailed.mock.calls.map(([error]) => String(error.message))).toEqual(['one', 'two']);
});

test('after a long run the next one begins as much later', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const pages = createPageRenderer(
    { config: testConfig() },
    { distanceMs: 2_000, onRendered: () => undefined, onFailed: () => undefined },
  );
  thread.render.mockImplementationOnce(async () => {
    vi.advanceTimersByTime(9_000);
    return NOTHING;
  });
  pages.wake();
  await pages.settle();
  pages.wake();
  await vi.advanceTimersByTimeAsync(8_999);
  expect(thread.render).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(thread.render).toHaveBeenCalledTimes(2);
  await pages.close();
});
