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

test('a known error is its sentence and advice, another one its stack; no secret is in them', () => {
  const { logger, lines } = capture();
  logger.error({ err: new PrepressError('BUILD_BUSY', 'Another build runs.') }, 'the build failed');
  logger.error({ err: new Error('at "/x?key=5ecret00" \u001b') }, 'request');
  expect(lines[0]).toMatch(/the build failed: Another build runs\. Wait for it .+ again\.\n$/);
  expect(lines[1]).toMatch(/error request\nError: at "\/x\?key=\[secret\]" \\u001b\n +at /);
});

test('a disk or database that can only be read is said with what to do, as by commands', () => {
  const { logger, lines } = capture();
  const disk = { code: 'EROFS', syscall: 'open', path: '/srv/a.json' };
  logger.error({ err: Object.assign(new Error('EROFS: read-only'), disk) }, 'a');
  const database = { code: 'SQLITE_READONLY' };
  logger.error({ err: Object.assign(new Error('attempt to write'), database) }, 'b');
  const link = { code: 'ECONNRESET', syscall: 'read' };
  logger.error({ err: Object.assign(new Error('read ECONNRESET'), link) }, 'c');
  expect(lines[0]).toMatch(
    / a: A file cannot be read or written: read-only file system at open of \/srv\/a\.json \(EROFS\)\. Check .+\.\n$/,
  );
  expect(lines[1]).toMatch(/ b: The database cannot be read .+\(SQLITE_READONLY\)\. Check .+\.\n$/);
  expect(lines[2]).toContain('\nError: read ECONNRESET\n');
});

test('what is no JSON stays as it is', () => {
  expect(readableLine('plain\n')).toBe('plain\n');
});
