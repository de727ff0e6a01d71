// A file system without hard links, as exFAT and many on networks are: a record's second name is a copy there.
import { copyFileSync, cpSync, lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadDriver } from '../../src/base/sqlite/driver.ts';
import { withoutHardLinks } from '../helpers/hard-links.ts';
import { prepress } from '../helpers/run-prepress.ts';
import { CONTENT, DATABASE } from '../helpers/serve.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { readTree } from '../helpers/tree-files.ts';

const changeTimezone = (folder: string): void => {
  const shell = new (loadDriver())(join(folder, DATABASE));
  shell.exec("UPDATE settings SET value = 'Etc/GMT+9' WHERE key = 'timezone'");
  shell.close();
};

test('a publication is made, built and edited there, with the bytes that it has elsewhere', async () => {
  const folder = temporaryFolder();
  const environment = withoutHardLinks(folder);
  const here = (...args: string[]): Promise<string> => prepress(folder, args, { environment });
  await here('init');
  await here('build');
  const tree = readTree(join(folder, CONTENT));
  const linked = [...tree.keys()].filter(
    (name) => lstatSync(join(folder, CONTENT, name)).nlink > 1,
  );
  expect(linked).toEqual([]);

  changeTimezone(folder);
  await here('build', '--forget');
  expect(await here('verify')).toContain('All is well.');

  const elsewhere = temporaryFolder();
  mkdirSync(join(elsewhere, 'data'));
  for (const name of [DATABASE, 'data/secret.key']) {
    copyFileSync(join(folder, name), join(elsewhere, name));
  }
  cpSync(join(folder, 'media'), join(elsewhere, 'media'), { recursive: true });
  await prepress(elsewhere, ['build']);
  const edited = readTree(join(folder, CONTENT));
  expect(edited).toEqual(readTree(join(elsewhere, CONTENT)));
  expect(edited).not.toEqual(tree);
});
