// Which data folders a start closes: those of publications, and no other program's.
import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { openWorkspace } from '../../../src/serve/workspace/workspace.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { testConfig } from '../../helpers/tree.ts';

test('a start closes the folder of a publication, says so once, and leaves other files alone', async () => {
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const site = temporaryFolder();
  const config = testConfig({
    database: join(site, 'data/publication.db'),
    output: join(site, 'output'),
  });
  const folder = join(site, 'data');
  mkdirSync(folder);
  writeFileSync(config.database, 'A shopping list.');
  for (const path of [config.database, folder]) chmodSync(path, 0o755);
  await expect(openWorkspace(config)).rejects.toThrow('is not a database');
  expect([folder, config.database].map((path) => statSync(path).mode & 0o777)).toEqual([
    0o755, 0o755,
  ]);
  writeFileSync(config.database, '');
  await (await openWorkspace(config, { create: true })).close();
  for (const path of [config.database, folder]) chmodSync(path, 0o755);
  said.mockClear();
  const warnings: string[] = [];
  const onWarning = (sentence: string): void => void warnings.push(sentence);
  for (let start = 1; start <= 2; start += 1)
    await (await openWorkspace(config, { onWarning })).close();
  expect([folder, config.database].map((path) => statSync(path).mode & 0o777)).toEqual([
    0o750, 0o750,
  ]);
  // A server logs it as JSON: nothing else goes to standard error.
  expect(said.mock.calls).toEqual([]);
  expect(warnings).toEqual([
    expect.stringMatching(/^Other users can no longer read \d files and folders of .*data;/),
  ]);
  said.mockRestore();
});
