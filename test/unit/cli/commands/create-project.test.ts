import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject } from '../../../../src/cli/commands/content/init.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const INSTALLED = '/srv/site/node_modules/prepress-content';

const make = (nodeVersion: string, { isEmpty = false, program = INSTALLED } = {}) => {
  const home = join(temporaryFolder(), 'My Site');
  const siteUrl = 'https://example.com';
  const made = createProject(home, { isEmpty, nodeVersion, siteUrl, program });
  const read = (name: string): string => readFileSync(join(home, name), 'utf8');
  return { home, made, read, facts: JSON.parse(read('package.json')) };
};

test('a project has settings, templates and scripts', () => {
  const { made, read, facts } = make('24.1.0');
  expect(made).toEqual([
    '.gitignore',
    'content/',
    'eleventy.config.js',
    'package.json',
    'prepress.config.json',
  ]);
  expect(JSON.parse(read('prepress.config.json'))).toEqual({
    siteUrl: 'https://example.com',
    site: true,
  });
  expect(read('content/index.njk')).toContain('publication');
  expect(facts).toMatchObject({ name: 'my-site', type: 'module' });
  expect(facts.scripts.start).toBe('prepress serve --sample');
  expect(Object.keys(facts.dependencies)).toEqual(['@11ty/eleventy', 'prepress-content']);
});

test('on Node.js 20 it has the driver of Node.js 20', () => {
  const { facts } = make('20.19.0');
  expect(facts.dependencies['better-sqlite3-node20']).toBe('npm:better-sqlite3@12.11.1');
  // npm asks for the name that a package gives itself.
  expect(facts.allowScripts).toEqual({ esbuild: true, 'better-sqlite3': true });
});

test('from a clone it has the clone, whose driver it takes', () => {
  const { dependencies } = make('20.19.0', { program: '/home/me/prepress' }).facts;
  expect(dependencies).toEqual({
    '@11ty/eleventy': expect.any(String),
    'prepress-content': 'file:/home/me/prepress',
  });
});

test('installed from a file, it has that file', () => {
  const modules = join(temporaryFolder(), 'node_modules');
  mkdirSync(modules);
  const packages = { 'node_modules/prepress-content': { resolved: 'file:../p.tgz' } };
  writeFileSync(join(modules, '.package-lock.json'), JSON.stringify({ packages }));
  const { dependencies } = make('20.19.0', { program: join(modules, 'prepress-content') }).facts;
  expect(dependencies['prepress-content']).toBe(`file:${join(modules, '../../p.tgz')}`);
  expect(dependencies).toHaveProperty('better-sqlite3-node20');
});

test('an empty one makes no sample', () => {
  expect(make('24.1.0', { isEmpty: true }).facts.scripts.start).toBe('prepress serve');
});

test('a folder with files is left as it is', () => {
  const { home } = make('24.1.0');
  const options = { isEmpty: false, nodeVersion: '24.1.0', program: INSTALLED };
  const again = () => createProject(home, options);
  expect(again).toThrow(expect.objectContaining({ code: 'FILE_EXISTS' }));
});
