import { expect, test } from 'vitest';
import { PrepressError } from '../../../../src/base/errors.ts';
import { createLogger, toReadable } from '../../../../src/serve/server/log/logger.ts';
import { readableLine } from '../../../../src/serve/server/log/readable-log.ts';

const capture = () => {
  const lines: string[] = [];
  const makings: true[] = [];
  const destination = toReadable(() => void makings.push(true), {
    write: (line) => void lines.push(line),
  });
  return { logger: createLogger('info', destination), lines, makings: () => makings.length };
};

test('on a terminal a line has its time, level, sentence and facts', () => {
  const { logger, lines, makings } = capture();
  logger.info({ generation: 3, kind: 'incremental' }, 'published');
  logger.warn({ rows: ['a', 'b\u001b'] }, 'rows\n');
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d info {2}published generation=3 kind=incremental\n$/);
  expect(lines[1]).toMatch(/ warn {2}rows\\n rows=\["a","b\\u001b"\]\n$/);
  expect(makings()).toBe(2);
});

test('a known error is its sentence, another one its stack; no secret is in them', () => {
  const { logger, lines } = capture();
  logger.error({ err: new PrepressError('BUILD_BUSY', 'Another build runs.') }, 'the build failed');
  logger.error({ err: new Error('at "/x?key=5ecret00" \u001b') }, 'request');
  expect(lines[0]).toMatch(/error the build failed: Another build runs\.\n$/);
  expect(lines[1]).toMatch(/error request\nError: at "\/x\?key=\[secret\]" \\u001b\n +at /);
});

test('what is no JSON stays as it is', () => {
  expect(readableLine('plain\n')).toBe('plain\n');
});
