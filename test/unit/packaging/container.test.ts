// The image and the file for Docker Compose, held to rules. The battery's long form runs the steps in a chroot.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OPTIONAL_PACKAGES } from '../../../src/base/optional-packages.ts';
import { readCopy, readStages } from './dockerfile.ts';

const ROOT = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const dockerfile = read('Dockerfile');

const stages = readStages(dockerfile);

test('the image runs the program itself as another user than root, watched, from named versions', () => {
  const last = stages.at(-1)?.instructions ?? [];
  const findValue = (name: string): string =>
    last.findLast((one) => one.name === name)?.value ?? '';
  expect(stages).toHaveLength(3);
  for (const { image } of stages)
    expect(image).toMatch(/^[\w./-]+:(?!latest)[\w.-]+(?:@sha256:[0-9a-f]{64})?$/);
  expect(findValue('USER')).toMatch(/^(?!root|0\b)\w+/);
  expect(last.findLastIndex(({ name }) => name === 'RUN')).toBeLessThan(
    last.findIndex(({ name }) => name === 'USER'),
  );
  expect(findValue('HEALTHCHECK')).toContain('CMD [');
  // A shell would take the signals.
  for (const name of ['ENTRYPOINT', 'CMD'])
    expect(JSON.parse(findValue(name))).toBeInstanceOf(Array);
});

test('no secret is in the image, and only the lock file decides what is installed', () => {
  const all = stages.flatMap(({ instructions }) => instructions);
  expect(all.filter(({ name }) => name === 'ADD')).toEqual([]);
  for (const { name, value } of all) {
    if (name === 'ENV') expect(value).not.toMatch(/KEY|SECRET|TOKEN|PASSWORD/i);
    if (name === 'RUN') expect(value).not.toMatch(/curl|wget|npm i(?:nstall)? -g/);
  }
  for (const { instructions } of stages) {
    const at = instructions.findIndex(
      ({ name, value }) => name === 'RUN' && /npm (?:ci|i)/.test(value),
    );
    const before = instructions.slice(0, at).filter(({ name }) => name === 'COPY');
    if (at !== -1)
      expect(before.some(({ value }) => value.includes('package-lock.json'))).toBe(true);
  }
});

test('what is copied into the image is not kept out of it, and nothing else comes in', () => {
  const copies = stages.flatMap(({ instructions }) =>
    instructions.filter(({ name }) => name === 'COPY').map(({ value }) => readCopy(value)),
  );
  const copied = copies.filter(({ from }) => from === null).flatMap(({ sources }) => sources);
  expect(copied.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  const names = [null, ...stages.map(({ name }) => name)];
  expect(copies.filter(({ from }) => !names.includes(from))).toEqual([]);
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
  const { instructions = [] } = stages.at(-1) ?? {};
  const volumes = JSON.parse(
    instructions.find(({ name }) => name === 'VOLUME')?.value ?? '[]',
  ) as string[];
  expect(volumes).toHaveLength(3);
  for (const volume of volumes) expect(compose).toMatch(new RegExp(`- \\w+:${volume}\n`));
  const port = instructions.find(({ name }) => name === 'EXPOSE')?.value;
  for (const [passed] of nginx.matchAll(/proxy_pass \S+/g))
    expect(passed).toBe(`proxy_pass http://prepress:${port};`);
  expect(nginx).toContain('root /srv/prepress/output;');
  expect(compose).toContain('./packaging/nginx.conf:');
  // Readers and the desk: each port that nginx listens at is an origin of its own.
  const ports = [...nginx.matchAll(/listen (\d+);/g)].map(([, one]) => one);
  expect(new Set(ports).size).toBe(2);
  expect(compose).toContain(
    `ports: [${ports.map((one) => `"127.0.0.1:${one}:${one}"`).join(', ')}]`,
  );
  for (const [at, name] of ['SITE', 'ADMIN'].entries())
    expect(compose).toContain(`PREPRESS_${name}_URL: http://127.0.0.1:${ports[at]}\n`);
  expect(compose).not.toMatch(/privileged: true|network_mode: host/);
  const services = compose.split(/\n {2}(?=\w+:\n {4}\w)/).slice(1);
  expect(services).toHaveLength(2);
  for (const service of services) {
    expect(service).toMatch(/^ {4}read_only: true$/m);
    expect(service).toMatch(/^ {4}cap_drop: \[ALL\]$/m);
    expect(service).toMatch(/^ {4}security_opt: \["no-new-privileges:true"\]$/m);
  }
});
