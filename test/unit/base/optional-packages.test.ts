import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PrepressError } from '../../../src/base/errors.ts';
import { loadOptional, OPTIONAL_PACKAGES } from '../../../src/base/optional-packages.ts';
import { NO_SHARP } from '../../../src/publish/sizes/make-sizes.ts';

const failWith = (code: string, message: string) => async (): Promise<never> => {
  throw Object.assign(new Error(message), { code });
};

const errorOf = (load: () => Promise<unknown>): Promise<unknown> =>
  loadOptional('mysql2', 'Sources mysql://', load).catch((error: unknown) => error);

test('a package that is not installed is named with the command that installs it', async () => {
  const load = failWith('ERR_MODULE_NOT_FOUND', "Cannot find package 'mysql2' imported from /a.js");
  const error = await errorOf(load);
  expect(error).toBeInstanceOf(PrepressError);
  expect(error).toMatchObject({
    code: 'PACKAGE_MISSING',
    message:
      'Sources mysql:// need the package mysql2, which is not installed. Run "npm install mysql2@3.24.6".',
  });
});

test('a package that is broken, or lacks one of its own, says so itself', async () => {
  for (const load of [
    failWith('ERR_MODULE_NOT_FOUND', "Cannot find package 'denque' imported from /mysql2.js"),
    failWith('ERR_DLOPEN_FAILED', "cannot load 'mysql2'"),
  ]) {
    expect(await errorOf(load)).not.toBeInstanceOf(PrepressError);
  }
});

test('what is there is handed out', async () => {
  expect(await loadOptional('mysql2', '', async () => 7)).toBe(7);
});

type Facts = {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
};

test('package.json names them as optional peers, and the clone installs these versions', () => {
  const path = new URL('../../../package.json', import.meta.url);
  const facts = JSON.parse(readFileSync(path, 'utf8')) as Facts;
  expect(Object.keys(facts.peerDependenciesMeta)).toEqual(Object.keys(facts.peerDependencies));
  for (const [name, version] of Object.entries(OPTIONAL_PACKAGES)) {
    expect(facts.devDependencies[name], name).toBe(version);
    expect(facts.peerDependencies[name], name).toBe(`^${version}`);
    expect(facts.peerDependenciesMeta[name], name).toEqual({ optional: true });
  }
});

test('the command that installs sharp names the version of package.json', () => {
  const path = new URL('../../../package.json', import.meta.url);
  const { optionalDependencies } = JSON.parse(readFileSync(path, 'utf8')) as Facts;
  expect(NO_SHARP).toContain(`"npm install sharp@${optionalDependencies.sharp}"`);
});

test('an installation has native packages alone: all other code is in dist/', () => {
  const path = new URL('../../../package.json', import.meta.url);
  const facts = JSON.parse(readFileSync(path, 'utf8')) as Facts;
  expect(Object.keys(facts.dependencies)).toEqual(['esbuild']);
});
