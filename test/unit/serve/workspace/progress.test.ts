import { PassThrough } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createProgressLine } from '../../../../src/serve/workspace/progress.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const terminal = (isTTY: boolean) => {
  const printed: string[] = [];
  const stream = Object.assign(new PassThrough(), {
    isTTY,
    columns: 120,
    cursorTo: () => true,
    clearLine: () => true,
    moveCursor: () => true,
  });
  stream.on('data', (chunk: Buffer) => printed.push(chunk.toString()));
  return { stream: stream as unknown as WriteStream, printed: () => printed.join('') };
};

test('a terminal shows what was done and the seconds that are left, after a second', async () => {
  const { stream, printed } = terminal(true);
  const line = createProgressLine(stream);
  line.show({ done: 10, total: 100, text: '10 records' });
  await vi.advanceTimersByTimeAsync(900);
  line.show({ done: 20, total: 100, text: '20 records' });
  expect(printed()).toBe('');
  await vi.advanceTimersByTimeAsync(1_100);
  line.show({ done: 25, total: 100, text: '25 records, 200 files' });
  await vi.advanceTimersByTimeAsync(500);
  expect(printed()).toMatch(/25% · 25 records, 200 files · 6 s left/);
  line.end();
});

test('without a total it tells what was done', async () => {
  const { stream, printed } = terminal(true);
  const line = createProgressLine(stream);
  await vi.advanceTimersByTimeAsync(1_500);
  line.show({ done: 7, total: 0, text: '7 files sent' });
  await vi.advanceTimersByTimeAsync(500);
  expect(printed()).toContain('7 files sent');
  line.end();
});

test('piped, nothing is shown', async () => {
  const { stream, printed } = terminal(false);
  const line = createProgressLine(stream);
  await vi.advanceTimersByTimeAsync(5_000);
  line.show({ done: 25, total: 100, text: '25 records' });
  await vi.advanceTimersByTimeAsync(5_000);
  line.end();
  expect(printed()).toBe('');
});
