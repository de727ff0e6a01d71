// The bench's check of touched files, on the program and on one that builds everything again.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Cycle } from '../../bench/cycles.ts';
import { run } from '../../bench/processes.ts';
import { makePublication } from '../../bench/publication.ts';
import { touchedNeedlessly } from '../../bench/touched.ts';
import { prepress } from '../helpers/run-prepress.ts';
import { copyPublication } from '../helpers/serve.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import type { Edit } from '../sabotage/row.ts';
import { bundleProgram } from './program.ts';

const POSTS = 60;

let template = '';
beforeAll(async () => {
  const folder = suiteFolder();
  template = folder.path;
  mkdirSync(join(template, 'data'));
  await makePublication(join(template, 'data/publication.db'), POSTS);
  await prepress(template, ['build', '--site-url', 'https://bench.example.com']);
  return folder.remove;
});

/** Files that publishing a post touched and had no reason to. */
const touchNeedlessly = async (...edits: Edit[]): Promise<string[]> => {
  const program = await bundleProgram('bench/cycles.ts', edits);
  const folder = copyPublication(template);
  const { stdout } = await run(process.execPath, [program, folder, 'compare', 'publish']);
  return touchedNeedlessly(JSON.parse(stdout) as Cycle);
};

test('publishing a post touches only what changes with it', async () => {
  expect(await touchNeedlessly()).toEqual([]);
});

test('a full build that was not needed compares, and so touches no more', async () => {
  const touched = await touchNeedlessly({
    file: 'src/publish/build/plan.ts',
    replace: "if (input.isFullAsked) return full('asked for');",
    by: "if (input.isFullAsked || state !== null) return full('asked for');",
  });
  expect(touched).toEqual([]);
});
