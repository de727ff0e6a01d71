// No test passes or fails by how fast a machine is. What takes how long is measured by the bench, or printed.
import { expect, test } from 'vitest';
import { readSources, type SourceFile } from './source-files.ts';

const tests = readSources('test').filter(({ path }) => !path.startsWith('test/tidy/'));

const pathsOf = (files: readonly SourceFile[]): string[] => files.map(({ path }) => path);

test('waits have one limit, which is far beyond the time that any machine takes', () => {
  const waiting = tests.filter(({ text }) =>
    /\bvi\.wait(?:For|Until)\(|\bexpect\.poll\(/.test(text),
  );
  expect(pathsOf(waiting)).toEqual(['test/helpers/eventually.ts']);
});

/** Who reads a stopwatch, and what for. */
const STOPWATCHES: Readonly<Record<string, string>> = {
  'test/helpers/build-moments.ts': 'chooses random moments of a build',
  'test/helpers/unread-crowd.ts': 'prints how long answers took',
  'test/sabotage/main.ts': 'ends a run whose time is up',
  'test/battery/power-cut-images.long.test.ts': 'chooses random moments of a build',
  'test/battery/together.test.ts': 'prints how long programs took to end',
};

test('only what is listed here measures time', () => {
  const measuring = tests.filter(({ text }) =>
    /\bperformance\.now\b|\bhrtime\b|\bconsole\.time/.test(text),
  );
  expect(pathsOf(measuring).sort()).toEqual(Object.keys(STOPWATCHES).sort());
});

test('no expectation sets a limit to a time', () => {
  const limit =
    /expect\([^;]*?(?:Date\.now\(|[a-z]Ms\b|\b[sS]econds\b|\b(?:elapsed|longest|slowest)\b|\bat\b\s*[-)])[^;]*?\)\s*\.toBeLessThan/g;
  const found = tests.flatMap(({ path, text }) =>
    [...text.matchAll(limit)].map(([match]) => `${path}: ${match}`),
  );
  expect(found).toEqual([]);
});

test('a test that hangs is ended by the limit for all', () => {
  // Generated tests are given one that grows with their number.
  const limit = /^ *\}, [\d_]{4,}\);|\btestTimeout\b|\btimeout: [\d_]{4,} \}, async/m;
  expect(pathsOf(tests.filter(({ text }) => limit.test(text)))).toEqual([]);
});
