import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { watchFile } from '../../../../src/serve/program/watch-files.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const watchIn = (file: string): (() => number) => {
  let told = 0;
  const watching = watchFile(file, () => {
    told += 1;
  });
  onTestFinished(watching.close);
  return () => told;
};

test('a file that is made, altered and removed is told once each', async () => {
  const file = join(temporaryFolder(), 'settings.json');
  const told = watchIn(file);
  writeFileSync(file, 'a');
  await eventually(() => expect(told()).toBe(1));
  writeFileSync(file, 'ab');
  await eventually(() => expect(told()).toBe(2));
  rmSync(file);
  await eventually(() => expect(told()).toBe(3));
});

test('a file that links lead to is told when any of them leads elsewhere', async () => {
  const folder = temporaryFolder();
  const put = (name: string): void => {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'settings.json'), '{}');
  };
  put('..1');
  put('..2');
  symlinkSync('..1', join(folder, '..data'));
  symlinkSync('..data/settings.json', join(folder, 'settings.json'));
  const told = watchIn(join(folder, 'settings.json'));
  const lead = (name: string): void => {
    symlinkSync(name, join(folder, '..new'));
    renameSync(join(folder, '..new'), join(folder, '..data'));
  };
  lead('..2');
  await eventually(() => expect(told()).toBe(1));
  lead('..1');
  await eventually(() => expect(told()).toBe(2));
});
