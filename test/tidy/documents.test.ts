import { expect, test } from 'vitest';
import { listCommands } from '../../src/cli/specs/list-commands.ts';
import { settingsTable } from '../../src/config/settings-table.ts';
import { readSources, readText } from './source-files.ts';

const readme = readText('README.md');

test('README has the settings table as the code has it', () => {
  expect(readme).toContain(settingsTable());
});

test('README names every command, and no other', () => {
  const commands = listCommands().map(({ name }) => name);
  expect(commands.length).toBeGreaterThan(15);
  const section = /## Commands\n([\s\S]*?)\n## /.exec(readme)?.[1] ?? '';
  const named = [...section.matchAll(/`prepress ([a-z]+(?: [a-z]+)?)/g)].map(([, name]) => name);
  expect([...new Set(named)].sort()).toEqual([...commands].sort());
});

test('the first screen has the two commands, and package.json knows them', () => {
  const first = readme.split('\n').slice(0, 15).join('\n');
  expect(first).toContain('npm ci && npm start');
  expect(first).toContain('npm ci && npm test');
  const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> };
  expect(Object.keys(scripts)).toEqual(
    expect.arrayContaining(['start', 'test', 'check', 'prepare']),
  );
});

test('ARCHITECTURE names every room', () => {
  const architecture = readText('ARCHITECTURE.md');
  const rooms = new Set(
    readSources('src')
      .map(({ path }) => path.split('/'))
      .filter((parts) => parts.length > 2)
      .map((parts) => `${parts[1]}/`),
  );
  expect([...rooms].filter((room) => !architecture.includes(`\`${room}\``))).toEqual([]);
});
