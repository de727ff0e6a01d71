import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { readSources, type SourceFile } from './source-files.ts';

const sources = readSources('src');
const tests = readSources('test');
const lines = ({ text }: SourceFile): number => text.split('\n').length - 1;

test('no source file is over 300 lines, no test over 500', () => {
  const long = [
    ...sources.filter((file) => /\.tsx?$/.test(file.path) && lines(file) > 300),
    ...tests.filter((file) => lines(file) > 500),
  ];
  expect(long.map((file) => `${file.path}: ${lines(file)}`)).toEqual([]);
});

test('files are kebab-case, and none is a drawer for anything', () => {
  const names = sources.map(({ path }) => basename(path));
  expect(names.filter((name) => !/^[a-z0-9]+(?:[-_.][a-z0-9]+)*$/.test(name))).toEqual([]);
  expect(names.filter((name) => /^(?:utils?|helpers?|common|manager|misc)\./.test(name))).toEqual(
    [],
  );
});

test('every source file opens by saying what it owns', () => {
  const silent = sources.filter(
    ({ path, text }) => !path.endsWith('.d.ts') && !/^(?:#!.*\n)?(?:\/\/|--) /.test(text),
  );
  expect(silent.map(({ path }) => path)).toEqual([]);
});

test('nothing is put off, silenced or unsafe', () => {
  // Written so that it does not find itself.
  const words = /\b(?:TO[D]O|FI[X]ME|X{3}|HA[C]K)\b|@ts-(?:ignore|nocheck)/;
  const found = [...sources, ...tests].filter(({ text }) => words.test(text));
  expect(found.map(({ path }) => path)).toEqual([]);
});

test('only config reads the environment, only cli reads argv and sets exit codes', () => {
  const reads = (pattern: RegExp, room: string): string[] =>
    sources
      .filter(({ path, text }) => pattern.test(text) && !path.startsWith(`src/${room}/`))
      .map(({ path }) => path);
  expect(reads(/process\.env/, 'settings')).toEqual([]);
  expect(reads(/process\.argv|process\.exit/, 'cli')).toEqual([]);
});

test('threads are started in one file, and speak through one', () => {
  const filesWith = (pattern: RegExp): string[] =>
    sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path);
  expect(filesWith(/\bnew Worker\(|\bworkerData\b/)).toEqual(['src/base/threads/thread.ts']);
  expect(filesWith(/\bparentPort\b/)).toEqual(['src/base/threads/serve-thread.ts']);
});

test('a limit that a message names stands in base/limits.ts', () => {
  const strays = sources
    .filter(({ path }) => path.endsWith('.ts') && !path.startsWith('src/serve/desk/'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/^(?:export )?const (\w+_(?:MAX|MIN)) = [\d(]/gm)]
        .map(([, name = '']) => name)
        // Of a statement for a database or a rule of a host it is no message.
        .filter((name) => new RegExp(`(?<!LIMIT |< |\\{)\\$\\{${name}\\b`).test(text))
        .map((name) => `${path}: ${name}`),
    );
  expect(strays).toEqual(LIMITS_ELSEWHERE);
});

/** A picture encoder of its own process, whose bound is of its memory. */
const LIMITS_ELSEWHERE = ['src/publish/sizes/encode-picture.ts: PIXELS_MAX'];

test('a status and type of an error stand in three files', () => {
  const files = sources
    .filter(({ text }) => /\btype: '\w+Error'|^ +'\w+Error',$/m.test(text))
    .map(({ path }) => path)
    .filter((path) => path !== 'src/content/queries/query-problem.ts');
  expect(files.sort()).toEqual([
    'src/base/errors.ts',
    'src/content/paths/problems.ts',
    'src/serve/server/problems/problems.ts',
  ]);
});
