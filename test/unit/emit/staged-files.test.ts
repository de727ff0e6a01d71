// Staged files have names of their own, and not too many lie in one folder.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { StagedFiles } from '../../../src/emit/staged-files.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

test('some thousand files of two writers lie in folders of some hundred', () => {
  const folder = temporaryFolder();
  const writers = ['', 'l'].map((label) => new StagedFiles(folder, label));
  const written = new Map<string, string>();
  for (let at = 0; at < 1_200; at += 1) {
    for (const [number, files] of writers.entries()) {
      const text = `${number} ${at}`;
      written.set(files.write(Buffer.from(text)), text);
    }
  }
  expect(written.size).toBe(2_400);
  for (const [path, text] of written) expect(readFileSync(path, 'utf8')).toBe(text);
  const folders = new Set([...written.keys()].map(dirname));
  expect(folders.size).toBe(5);
  const sizes = [...folders].map((one) => readdirSync(one).length);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(1_010);
  expect([...folders].every((one) => one === folder || dirname(one) === join(folder))).toBe(true);
});
