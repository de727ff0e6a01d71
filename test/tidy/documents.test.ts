// What the documents say of the program: settings, commands, links, lines of commands and copies of code.
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { createProgram } from '../../src/cli/create-program.ts';
import { HOST_NAMES } from '../../src/settings/host-names.ts';
import { SETTING_NAMES } from '../../src/settings/settings.ts';
import { commandsPage } from '../helpers/commands-page.ts';
import { limitsPage } from '../helpers/limits-page.ts';
import { listCommands } from '../helpers/list-commands.ts';
import { listPages, listRoomPages } from '../helpers/list-pages.ts';
import { settingsTable } from '../helpers/settings-table.ts';
import { ROOT, readSources, readText } from './source-files.ts';

const readme = readText('README.md');

/** README, ARCHITECTURE, those of rooms, and every page of docs/, by path. */
const pages = new Map(
  ['README.md', 'ARCHITECTURE.md', ...listRoomPages(), ...listPages()].map((path) => [
    path,
    readText(path),
  ]),
);

type Block = { readonly path: string; readonly language: string; readonly text: string };

const blocksOf = (path: string, text: string): Block[] =>
  [...text.matchAll(/^ *```(\w*)\n([\s\S]*?)^ *```$/gm)].map(([, language = '', block = '']) => ({
    path,
    language,
    text: block,
  }));

const blocks = [...pages].flatMap(([path, text]) => blocksOf(path, text));

test('docs/settings.md has the settings as the code has them', () => {
  expect(readText('docs/settings.md')).toContain(`\n${settingsTable()}\n`);
});

test('docs/commands.md has the commands as the program has them (vitest -u writes it)', async () => {
  expect(listCommands().length).toBeGreaterThan(15);
  await expect(commandsPage()).toMatchFileSnapshot('../../docs/commands.md');
});

test('docs/limits.md has the limits and errors as the code has them (vitest -u writes it)', async () => {
  await expect(limitsPage()).toMatchFileSnapshot('../../docs/limits.md');
});

test('README is short, and its first screen has the two commands that package.json knows', () => {
  expect(readme.split('\n').length).toBeLessThanOrEqual(151);
  const first = readme.split('\n').slice(0, 15).join('\n');
  expect(first).toContain('npm ci && npm start');
  expect(first).toContain('npm ci && npm test');
  const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> };
  expect(Object.keys(scripts)).toEqual(
    expect.arrayContaining(['start', 'test', 'check', 'prepare']),
  );
});

const programPaths = [...readSources('src'), ...readSources('test')].map(({ path }) => `/${path}`);

/** Of names of files, as in `content/queries/answer.ts`, those that no path of the sources or tests ends with. */
const absentFiles = (names: readonly string[]): string[] =>
  names.filter((name) => !programPaths.some((path) => path.endsWith(`/${name}`)));

/** Files that comments at the left margin name, such as those at the head of a file. */
const commentedFiles = (text: string): string[] =>
  [...text.matchAll(/^\/\/.*$/gm)].flatMap(([line]) => line.match(/\b[\w/-]+\.tsx?\b/g) ?? []);

test('every file of the program that a head comment names is there', () => {
  const comments = readSources('src').flatMap(({ text }) => commentedFiles(text));
  expect(comments.length).toBeGreaterThan(10);
  expect(absentFiles(comments)).toEqual([]);
});

test('the documents install the package under the name that npm pack gives it', () => {
  const { name, version } = JSON.parse(readText('package.json')) as Record<string, string>;
  const named = [...pages.values()].flatMap((text) => text.match(/\bprepress-[\w.-]+\.tgz/g) ?? []);
  expect(named.length).toBeGreaterThan(6);
  expect([...new Set(named)]).toEqual([`${name}-${version}.tgz`]);
});

/** Anchors of headings as GitHub makes them. */
const anchorsOf = (text: string): Set<string> =>
  new Set(
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );

const brokenLinks = (path: string, text: string): string[] =>
  [...text.replace(/^ *```[\s\S]*?^ *```$/gm, '').matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^https?:/.test(target))
    .filter((target) => {
      const [file = '', anchor] = target.split('#');
      const full = file === '' ? join(ROOT, path) : join(ROOT, dirname(path), file);
      if (!existsSync(full)) return true;
      if (anchor === undefined || statSync(full).isDirectory()) return false;
      return !anchorsOf(readText(full.slice(ROOT.length + 1))).has(anchor);
    })
    .map((target) => `${path}: ${target}`);

test('every link between documents leads somewhere, and every page is linked from the index', () => {
  expect([...pages].flatMap(([path, text]) => brokenLinks(path, text))).toEqual([]);
  const index = readText('docs/index.md');
  const unlinked = listPages()
    .map((path) => path.slice('docs/'.length))
    .filter((name) => name !== 'index.md' && !index.includes(`(${name})`));
  expect(unlinked).toEqual([]);
});

/** What is wrong with a line of `prepress`: commander reads it with the program's own options, and nothing runs. */
const faultOf = (line: string): string | null => {
  const words = [...line.matchAll(/'[^']*'|"[^"]*"|\S+/g)].map(([word]) =>
    word.replace(/^(['"])(.*)\1$/, '$2'),
  );
  const program = createProgram();
  silence(program);
  try {
    program.parse(words, { from: 'user' });
    return null;
  } catch (error) {
    return `${line}: ${(error as Error).message}`;
  }
};

const silence = (command: Command): void => {
  command.exitOverride().configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
  command.action(() => undefined);
  for (const inner of command.commands) silence(inner);
};

const prepressLines = (text: string): string[] =>
  text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => / *(?:npx prepress|prepress\.js) (.*)$/.exec(line)?.[1] ?? '')
    .filter((line) => line !== '')
    .map((line) => line.replace(/(?: +#| +\||\)| &&).*$/, '').trim());

test('every line of prepress in the documents is one that the program takes', () => {
  const shells = blocks.filter(({ language }) => ['sh', 'ini', 'cron'].includes(language));
  const inText = [...pages.values()].flatMap((text) =>
    [...text.matchAll(/`((?:npx )?prepress [a-z][^`]*)`/g)].map(([, line = '']) =>
      line.replace(/^(?:npx )?prepress /, ''),
    ),
  );
  const lines = shells.flatMap(({ text }) => prepressLines(text));
  expect(lines.length).toBeGreaterThan(60);
  const names = new Set(listCommands().map(({ name }) => name));
  const unknown = inText.filter((line) => {
    const words = line.split(/[\s,]+/);
    return !names.has(words[0] ?? '') && !names.has(words.slice(0, 2).join(' '));
  });
  expect(unknown.filter((line) => !/^(?:keys|webhooks|hosts|posts)$/.test(line))).toEqual([]);
  expect(lines.flatMap((line) => faultOf(line) ?? [])).toEqual([]);
});

test('a database that is moved away stays in data/, which Git ignores and other users cannot enter', () => {
  const moves = blocks.flatMap(({ text }) => text.match(/mv data\/publication\.db.*/g) ?? []);
  expect(moves.length).toBeGreaterThan(1);
  expect(moves.filter((line) => !/ data\/(?:old|trial)\/$/.test(line))).toEqual([]);
});

test('every block of settings is JSON with settings that exist', () => {
  const known = new Set<string>(SETTING_NAMES.flatMap((name) => [name, name.split('.')[0] ?? '']));
  const settings = blocks.filter(({ language }) => language === 'json');
  expect(settings.length).toBeGreaterThan(6);
  const wrong = settings.flatMap(({ path, text }) =>
    Object.keys(JSON.parse(text) as object)
      .filter((name) => !known.has(name))
      .map((name) => `${path}: ${name}`),
  );
  expect(wrong).toEqual([]);
});

test('docs/webhooks.md shows the receivers that are tested', () => {
  const page = readText('docs/webhooks.md');
  for (const name of ['receiver.mjs', 'receiver.py', 'receiver.php']) {
    expect(page).toContain(readText(`examples/webhooks/${name}`).trimEnd());
  }
});

test('docs/hosts.md has a row for each host', () => {
  const page = readText('docs/hosts.md');
  const isNamed = (name: string): boolean =>
    page.includes(`\`hosts write ${name}\``) || page.includes(`host \`${name}\``);
  expect(HOST_NAMES.filter((name) => !isNamed(name))).toEqual([]);
});
