// ARCHITECTURE.md and the README.md of rooms: they are short, each decision is found by its name, and each path that they
// name is there.
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { listRoomPages } from '../helpers/list-pages.ts';
import { ROOT, readSources, readText } from './source-files.ts';

const ARCHITECTURE_LINES_MAX = 300;
const README_LINES_MAX = 80;
const DECISION_LINES_MAX = 5;
const LINE_CHARACTERS_MAX = 140;

const architecture = readText('ARCHITECTURE.md');
const readmes = listRoomPages().map((path) => ({ path, text: readText(path) }));

const linesOf = (text: string): number => text.split('\n').length - 1;

test('ARCHITECTURE and the README of each room are short', () => {
  expect(linesOf(architecture)).toBeLessThanOrEqual(ARCHITECTURE_LINES_MAX);
  expect(readmes.length).toBeGreaterThan(30);
  const long = readmes.filter(({ text }) => linesOf(text) > README_LINES_MAX);
  expect(long.map(({ path }) => path)).toEqual([]);
});

const foldersIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

test('ARCHITECTURE names every room', () => {
  const tops = foldersIn('src');
  const rooms = tops.flatMap((top) => foldersIn(`src/${top}`).map((room) => `${top}/${room}`));
  expect(rooms.length).toBeGreaterThan(30);
  const named = [...tops.map((top) => `\`${top}\``), ...rooms.map((room) => `\`${room}/\``)];
  expect(named.filter((name) => !architecture.includes(name))).toEqual([]);
});

const decisions = readmes.flatMap(({ path, text }) =>
  text
    .split(/\n\n+/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph.startsWith('**'))
    .map((paragraph) => ({ path, lines: paragraph.split('\n') })),
);

const nameOf = (lines: readonly string[]): string =>
  /^\*\*(.+?)\*\*/.exec(lines.join(' '))?.[1] ?? '';

test('each decision has a name of its own, and at most five lines', () => {
  expect(decisions.length).toBeGreaterThan(150);
  const names = decisions.map(({ lines }) => nameOf(lines));
  expect(names.filter((name, at) => name === '' || names.indexOf(name) !== at)).toEqual([]);
  const long = decisions.filter(
    ({ lines }) =>
      lines.length > DECISION_LINES_MAX || lines.some(({ length }) => length > LINE_CHARACTERS_MAX),
  );
  expect(long.map(({ path, lines }) => `${path}: ${nameOf(lines)}`)).toEqual([]);
});

/** Names in backticks that mean a file or folder of the project, and not one of `data/` or of the output. */
const pathsIn = (line: string): string[] =>
  [...line.matchAll(/`([\w.-]+(?:\/[\w.-]+)*\/?)`/g)]
    .map(([, name = '']) => name)
    .filter((name) => /\.(?:tsx?|js|sql|md)$/.test(name) || name.includes('/'))
    .filter(
      (name) =>
        !/^(?:data|output|uploads|mail|hosts|deploys|sizes)\/|^prepress-content\//.test(name),
    );

/** A path is of the project or of src/; beside a folder on its line it may be of that, and in a README of its folder. */
const isThere = (name: string, folders: readonly string[]): boolean =>
  ['', 'src', ...folders, ...folders.map((folder) => join('src', folder))].some((folder) =>
    existsSync(join(ROOT, folder, name)),
  );

const absentPaths = (path: string, text: string): string[] =>
  text
    .replace(/\n(?=[^\n|])/g, ' ')
    .split('\n')
    .flatMap((line) => {
      const names = pathsIn(line);
      const folders = [dirname(path), ...names.filter((name) => name.endsWith('/'))];
      return names.filter((name) => !isThere(name, folders));
    })
    .map((name) => `${path}: ${name}`);

test('every path that ARCHITECTURE or the README of a room names is there', () => {
  expect(pathsIn(architecture).length).toBeGreaterThan(150);
  expect(absentPaths('ARCHITECTURE.md', architecture)).toEqual([]);
  expect(readmes.flatMap(({ path, text }) => absentPaths(path, text))).toEqual([]);
});

test('an absent path is noticed', () => {
  expect(absentPaths('ARCHITECTURE.md', 'Of `publish/cycle/`: `publisher.ts`, `gone.ts`.')).toEqual(
    ['ARCHITECTURE.md: gone.ts'],
  );
});

const sources = readSources('src')
  .map(({ text }) => text)
  .join('\n');

/** Comments that name the test which holds the order of two steps: `Held by x.test.ts: "its name".` */
const heldBy = (text: string): { readonly file: string; readonly name: string }[] =>
  [...text.replace(/\n\s*\/\/ /g, ' ').matchAll(/Held by ([\w.-]+\.test\.ts): "([^"]+)"/g)].map(
    ([, file = '', name = '']) => ({ file, name }),
  );

test('each test that the sources name as holding an order is there', () => {
  const tests = readSources('test');
  const isAbsent = ({ file, name }: ReturnType<typeof heldBy>[number]): boolean =>
    !tests.some(({ path, text }) => path.endsWith(`/${file}`) && text.includes(`'${name}'`));
  expect(heldBy(sources).length).toBeGreaterThan(10);
  expect(sources.match(/Held by [\w.-]+\.test/g)).toHaveLength(heldBy(sources).length);
  expect(heldBy(sources).filter(isAbsent)).toEqual([]);
  expect(heldBy('// Held by gone.test.ts: "two\n  // lines".').filter(isAbsent)).toEqual([
    { file: 'gone.test.ts', name: 'two lines' },
  ]);
});

const words = new Set(sources.match(/\w+/g));

/** Names of functions, settings and columns, as `publishOnce` or `store.write`: each part is a word of the sources. */
const absentNames = (text: string): string[] =>
  [...text.matchAll(/`#?((?:\w+\.)*\w+)(?:\(\))?`/g)]
    .map(([, name = '']) => name)
    .filter((name) => /[a-z][A-Z]|_|\./.test(name) && !/\.(?:tsx?|js|json|db|html)$/.test(name))
    .filter((name) => name.split('.').some((part) => !words.has(part)));

test('every function, setting and table that they name is in the sources', () => {
  const texts = [architecture, ...readmes.map(({ text }) => text)];
  expect(texts.flatMap(absentNames)).toEqual([]);
  expect(absentNames('Of `publishOnce`, `publishTwice` and `store.absentCall()`.')).toEqual([
    'publishTwice',
    'store.absentCall',
  ]);
});
