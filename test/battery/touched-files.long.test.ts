// The bench's check of touched files, on the program and on programs that write more than they must.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Cycle } from '../../bench/cycles.ts';
import { run } from '../../bench/processes.ts';
import { makePublication } from '../../bench/publication.ts';
import { touchedNeedlessly } from '../../bench/touched.ts';
import { isBlob } from '../../src/base/packed-names.ts';
import { prepress } from '../helpers/run-prepress.ts';
import { copyPublication } from '../helpers/serve.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { bundleProgram, type Sabotage } from './program.ts';

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
const touchNeedlessly = async (...sabotages: Sabotage[]): Promise<string[]> => {
  const program = await bundleProgram('bench/cycles.ts', sabotages);
  const folder = copyPublication(template);
  const { stdout } = await run(process.execPath, [program, folder, 'compare', 'publish']);
  return touchedNeedlessly(JSON.parse(stdout) as Cycle);
};

test('publishing a post touches only what changes with it', async () => {
  expect(await touchNeedlessly()).toEqual([]);
});

test('a build that writes every variant of what it looks at is noticed', async () => {
  const touched = await touchNeedlessly({
    file: 'src/builder/render-records.ts',
    replace: 'if (isPlaced && before.hashes[variant]?.equals(hash) === true) return;',
    by: '',
  });
  expect(touched).toContain('tags/slug/tag-3/index.json');
});

test('a full build that was not needed compares, and so touches no more', async () => {
  const touched = await touchNeedlessly({
    file: 'src/builder/plan.ts',
    replace: "if (input.isFullAsked) return full('asked for');",
    by: "if (input.isFullAsked || state !== null) return full('asked for');",
  });
  expect(touched).toEqual([]);
});

test('a full build that compares nothing is noticed', async () => {
  const touched = await touchNeedlessly(
    {
      file: 'src/builder/plan.ts',
      replace: "if (input.isFullAsked) return full('asked for');",
      by: "if (input.isFullAsked || state !== null) return full('asked for');",
    },
    {
      file: 'src/emit/leaf-writer.ts',
      replace: 'if (!stand(names, (path) => holds(path, bytes))) stage(names, bytes);',
      by: 'stage(names, bytes);',
    },
  );
  expect(touched.length).toBeGreaterThan(POSTS * 8);
});

test('a blob that stands and is written again is noticed', async () => {
  const touched = await touchNeedlessly(
    {
      file: 'src/builder/plan.ts',
      replace: "if (input.isFullAsked) return full('asked for');",
      by: "if (input.isFullAsked || state !== null) return full('asked for');",
    },
    {
      file: 'src/emit/blob-files.ts',
      replace:
        'if (!stands(name, (path) => readOrNull(path)?.equals(bytes) === true)) write(name, bytes);',
      by: 'write(name, bytes);',
    },
  );
  expect(touched.length).toBeGreaterThan(0);
  expect(touched.filter((name) => !isBlob(name))).toEqual([]);
});
