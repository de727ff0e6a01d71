// The image and the file for Docker Compose, held to rules. The battery's long form runs the steps in a chroot.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OPTIONAL_PACKAGES } from '../../../src/base/optional-packages.ts';
import { findFaults, readCopy, readStages } from './dockerfile.ts';

const ROOT = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const isThere = (path: string): boolean => existsSync(join(ROOT, path));

const dockerfile = read('Dockerfile');

test('the Dockerfile has no fault', () => {
  expect(findFaults(dockerfile, isThere)).toEqual([]);
  expect(readStages(dockerfile)).toHaveLength(3);
});

test('what is copied into the image is not kept out of it, and nothing else comes in', () => {
  const copies = readStages(dockerfile).flatMap(({ instructions }) =>
    instructions.filter(({ name }) => name === 'COPY').map(({ value }) => readCopy(value)),
  );
  const copied = copies.filter(({ from }) => from === null).flatMap(({ sources }) => sources);
  const [first, ...rest] = read('.dockerignore').trim().split('\n');
  expect(first).toBe('*');
  const allowed = rest.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  const folders = copied.map((path) => path.replace(/^packaging\/.*/, 'packaging'));
  expect([...new Set(folders)].sort()).toEqual([...allowed].sort());
});

test('the image has the optional packages in the versions that are tested', () => {
  const facts = JSON.parse(read('packaging/container/package.json')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  for (const [name, version] of Object.entries(facts.dependencies)) {
    expect(OPTIONAL_PACKAGES[name as keyof typeof OPTIONAL_PACKAGES], name).toBe(version);
  }
});

test('compose.yaml and the configuration of nginx name the same places', () => {
  const compose = read('compose.yaml');
  const nginx = read('packaging/nginx.conf');
  const { instructions = [] } = readStages(dockerfile).at(-1) ?? {};
  const volumes = JSON.parse(
    instructions.find(({ name }) => name === 'VOLUME')?.value ?? '[]',
  ) as string[];
  expect(volumes).toHaveLength(3);
  for (const volume of volumes) expect(compose).toMatch(new RegExp(`- \\w+:${volume}\n`));
  const port = instructions.find(({ name }) => name === 'EXPOSE')?.value;
  expect(nginx.match(/proxy_pass \S+/g)).toEqual(
    Array(2).fill(`proxy_pass http://prepress:${port};`),
  );
  expect(nginx).toContain('root /srv/prepress/output;');
  expect(compose).toContain('./packaging/nginx.conf:');
  expect(compose).toMatch(/ports: \["127\.0\.0\.1:8080:8080"\]/);
  expect(compose).not.toMatch(/privileged: true|network_mode: host/);
});
