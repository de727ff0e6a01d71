import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findObstacle, hostedFields, withRepository } from '../../../scripts/release.js';

const STATE = {
  current: '0.1.0',
  changelog: '# Changelog\n\n## 0.2.0\n\n- New.\n',
  changes: '',
  tags: ['v0.1.0'],
  branch: 'main',
  repository: { type: 'git', url: 'git+https://git.example.com/a/b.git' },
};

test('a version that CHANGELOG.md names is released from a clean working copy', () => {
  expect(findObstacle('0.2.0', STATE)).toBeNull();
});

test.each([
  ['next', {}, '"next" is not a version such as 0.2.0.'],
  ['0.2.0', { changes: ' M a.ts' }, 'The working copy has changes: commit them first.\n M a.ts'],
  ['0.2.0', { tags: ['v0.2.0'] }, 'The tag v0.2.0 already exists.'],
  ['0.0.9', {}, '0.0.9 is not greater than 0.1.0.'],
  ['0.2.0', { tags: ['v0.1.0', 'v0.3.0'] }, '0.2.0 is not greater than 0.3.0.'],
  ['0.2.0', { branch: 'fix' }, 'A release is made on main, and this is "fix".'],
  [
    '0.2.0',
    { changelog: '\n## 0.2.0\n\n## 0.1.0\n' },
    'CHANGELOG.md says nothing below "## 0.2.0".',
  ],
  ['0.3.0', {}, 'CHANGELOG.md has no heading "## 0.3.0": rename its newest one.'],
  [
    '0.2.0',
    { repository: undefined },
    'The repository is not known: clone from its host, or set "repository" in package.json.',
  ],
  [
    '0.10.0',
    { current: '0.9.0' },
    'CHANGELOG.md has no heading "## 0.10.0": rename its newest one.',
  ],
])('%s with %j is refused', (version, state, obstacle) => {
  expect(findObstacle(version, { ...STATE, ...state })).toBe(obstacle);
});

test('repository and bugs come from where the clone came from, if that is a host', () => {
  const fields = {
    repository: { type: 'git', url: 'git+https://git.example.com/a/b.git' },
    bugs: 'https://git.example.com/a/b/issues',
  };
  expect(hostedFields('git@git.example.com:a/b.git')).toEqual(fields);
  expect(hostedFields('https://git.example.com/a/b')).toEqual(fields);
  expect(hostedFields('/srv/git/b.git')).toBeNull();
  expect(hostedFields('')).toBeNull();
});

test('the README of a release names the repository to clone', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8');
  const named = withRepository(readme, STATE.repository);
  expect(named).toContain(
    'Get a clone with `git clone https://git.example.com/a/b.git prepress && ',
  );
  expect(named).not.toContain('ADDRESS');
});
