// A thread answers in order, with its own errors whole; and one that ends answers nobody, but says why.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { PrepressError } from '../../../../src/base/errors.ts';
import {
  findBundledWorker,
  runOnThread,
  startThread,
  type ThreadOptions,
} from '../../../../src/base/threads/thread.ts';
import { suiteFolder } from '../../../helpers/suite-folder.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const SRC = join(import.meta.dirname, '../../../../src/base');

/** What the thread does with a request. */
const ACT = `
import { PrepressError } from '${SRC}/errors.ts';
import { serveThread } from '${SRC}/threads/serve-thread.ts';
const acts = {
  say: async ({ text, later }, tell) => {
    tell(text + ' comes');
    if (later) await new Promise((resolve) => setImmediate(resolve));
    return text;
  },
  move: ({ bytes }) => bytes,
  fail: () => {
    const cause = Object.assign(new TypeError('gone', { cause: 'a text' }), { code: 'ENOENT', syscall: 'open', path: '/a' });
    throw new PrepressError('VALIDATION', 'No.', { property: 'html', context: 'c', details: [1], hint: 'Mend it.', cause });
  },
  copyless: () => () => undefined,
  hang: () => { for (;;); },
  fill: () => { const kept = []; for (;;) kept.push(Array(1000).fill(kept.length)); },
  end: () => process.exit(),
};
serveThread((request, tell) => acts[request.does](request, tell), {
  movedOf: (answer) => (answer instanceof Uint8Array ? [answer.buffer] : []),
});
`;

type Request = { readonly does: string; readonly [name: string]: unknown };

let file = '';
beforeAll(async () => {
  const { path, remove } = suiteFolder();
  file = join(path, 'acting.mjs');
  await build({
    stdin: { contents: ACT, resolveDir: SRC },
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
  });
  return remove;
});

const start = (options?: ThreadOptions) => {
  const thread = startThread<Request, unknown, string>(file, options);
  onTestFinished(() => thread.close());
  return thread;
};

test('requests are answered in their order, with what is told before', async () => {
  const thread = start();
  await thread.started;
  const news: string[] = [];
  const onNews = (one: string) => void news.push(one);
  const asked = ['a', 'b', 'c'].map((text) =>
    thread.ask({ does: 'say', text, later: text === 'a' }, { onNews }),
  );
  expect(thread.waiting()).toBe(3);
  expect(await Promise.all(asked)).toEqual(['a', 'b', 'c']);
  expect(news).toEqual(['a comes', 'b comes', 'c comes']);
  expect(thread.waiting()).toBe(0);
});

test('buffers are moved there and back', async () => {
  const thread = start();
  const bytes = new Uint8Array([1, 2, 3]);
  const back = await thread.ask({ does: 'move', bytes }, { moved: [bytes.buffer] });
  expect([back, bytes.length]).toEqual([new Uint8Array([1, 2, 3]), 0]);
});

test('an error keeps class, code, hint, details and cause, and the thread goes on', async () => {
  const thread = start();
  const error = (await thread.ask({ does: 'fail' }).catch((thrown) => thrown)) as PrepressError;
  expect(error).toBeInstanceOf(PrepressError);
  const { code, message, property, context, details, hint, stack, cause } = error;
  expect({ code, message, property, context, details, hint }).toEqual({
    code: 'VALIDATION',
    message: 'No.',
    property: 'html',
    context: 'c',
    details: [1],
    hint: 'Mend it.',
  });
  expect(stack).toContain('acting.mjs');
  expect(cause).toBeInstanceOf(Error);
  expect(cause).toMatchObject({
    ...{ name: 'TypeError', message: 'gone', code: 'ENOENT', syscall: 'open', path: '/a' },
    cause: { message: 'a text' },
  });
  await expect(thread.ask({ does: 'copyless' })).rejects.toThrow('could not be cloned');
  expect(await thread.ask({ does: 'say', text: 'on' })).toBe('on');
});

test.each([
  ['ended', 'end', {}],
  ['time', 'hang', { timeMs: 1 }],
  ['memory', 'fill', {}],
] as const)('a thread that ends says why: %s', async (reason, does, options) => {
  const thread = start({ resourceLimits: { maxOldGenerationSizeMb: 16 } });
  await thread.started;
  const asked = [thread.ask({ does }, options), thread.ask({ does: 'say', text: 'never' })];
  for (const one of [...asked, asked[0]?.catch(() => thread.ask({ does: 'say', text: 'late' }))]) {
    await expect(one).rejects.toMatchObject({ code: 'THREAD_ENDED', details: { reason } });
  }
});

test('closing rejects what waits, and no thread starts after it', async () => {
  const thread = start();
  await thread.started;
  const asked = thread.ask({ does: 'hang' });
  const closed = expect(asked).rejects.toMatchObject({ code: 'THREAD_ENDED' });
  await thread.close();
  await closed;
  await expect(thread.ask({ does: 'say', text: 'late' })).rejects.toThrow();

  const ending = new AbortController();
  const running = runOnThread(file, { does: 'hang' }, { signal: ending.signal });
  const ended = expect(running).rejects.toThrow('We stop.');
  ending.abort(new Error('We stop.'));
  await ended;
  await expect(runOnThread(file, {}, { signal: ending.signal })).rejects.toThrow('We stop.');
});

test('a thread that cannot load, or is not given, is one that ended', async () => {
  const broken = join(file, '../broken.mjs');
  writeFileSync(broken, "throw new Error('It fails.');");
  const reason = { code: 'THREAD_ENDED', details: { reason: 'ended' } };
  await expect(startThread(broken).started).rejects.toMatchObject({
    ...reason,
    cause: { message: 'It fails.' },
  });
  await expect(startThread('no path').started).rejects.toMatchObject(reason);
  await expect(runOnThread(broken, {})).rejects.toMatchObject(reason);
  const slow = join(file, '../slow.mjs');
  writeFileSync(slow, 'for (;;);');
  await expect(startThread(slow, { loadMs: 1 }).started).rejects.toMatchObject({
    details: { reason: 'time' },
  });
});

test('a worker is found in a folder of any name, and only where it is', () => {
  const folder = join(temporaryFolder(), 'my site #1 100%');
  mkdirSync(folder);
  const file = join(folder, 'render-worker.js');
  writeFileSync(file, '');
  const place = pathToFileURL(join(folder, 'program.js')).href;
  expect(findBundledWorker('render-worker', place)).toBe(file);
  expect(findBundledWorker('file-worker', place)).toBeNull();
});
