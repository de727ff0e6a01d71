// The executor in njs, the oldest of the runtimes that it is for: bundled for it, over files, against the oracle.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { NJS_SYNTAX } from '../../src/hosts/bundle-njs.ts';
import { LEVELS } from '../../src/packed/levels.ts';
import { makeQuery } from '../helpers/made-query.ts';
import { SMALL_LEVELS } from '../helpers/memory-blobs.ts';
import { makeOddPublication, ODD_NOW, packOdd, pick } from '../helpers/odd-records.ts';
import { expectedList } from '../helpers/query-oracle.ts';
import { createRandom, SEED } from '../helpers/random.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { missing } from './program.ts';

const reason = missing('njs', 'apt-get install njs');
const ROOT = join(import.meta.dirname, '../..');
const QUERIES = 200;
const MAX = 30;

/** Prints how many bodies are as expected, or the first query whose body is not: njs cuts what is long. */
const PROGRAM = `
import fs from 'fs';
import { answerList } from './src/queries/answer.ts';
import { createTreeStore } from './src/queries/tree-store.ts';
const given = JSON.parse(fs.readFileSync('FOLDER/cases.json', 'utf8'));
const store = createTreeStore({
  bytesMax: 1000000,
  readRoot: () => Promise.resolve(given.root),
  readBlob: (name) => Promise.resolve(new Uint8Array(fs.readFileSync('FOLDER/' + name))),
});
const decoder = new TextDecoder();
const answer = (at) => {
  if (at === given.cases.length) return console.log(at + ' are equal');
  const asked = given.cases[at];
  return answerList(store, asked.resource, { rawQuery: asked.raw, nowMs: given.nowMs })
    .then((pieces) => {
      const body = pieces.map((piece) => decoder.decode(piece)).join('');
      return body === asked.body ? answer(at + 1) : console.log(asked.raw);
    });
};
answer(0).catch((error) => console.log(error.message));
`;

const bundleFor = async (folder: string): Promise<string> => {
  const result = await build({
    stdin: { contents: PROGRAM.replaceAll('FOLDER', folder), resolveDir: ROOT, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    ...NJS_SYNTAX,
    external: ['fs'],
    logLevel: 'silent',
  });
  return result.outputFiles[0]?.text ?? '';
};

test('the executor needs nothing that the oldest runtime lacks', async () => {
  const text = await bundleFor('/nowhere');
  expect(text).toContain('answerList');
  expect(text).not.toMatch(/\bnew (?:Map|Set|WeakMap)\b|\brequire\(|\bBuffer\b|\bprocess\b/);
});

test.skipIf(reason !== null)(
  `njs answers as the oracle (seed ${SEED}) ${reason ?? ''}`,
  async () => {
    const parent = temporaryFolder();
    for (const levels of [SMALL_LEVELS, LEVELS]) {
      const random = createRandom(SEED);
      const publication = makeOddPublication(random, 100);
      const { blobs, root } = packOdd(publication, { levels, max: MAX });
      const folder = join(parent, levels === LEVELS ? 'usual' : 'small');
      mkdirSync(folder);
      for (const [name, bytes] of blobs.all) writeFileSync(join(folder, name), bytes);
      const cases = Array.from({ length: QUERIES }, () => {
        const resource = pick(random, ['posts', 'posts', 'pages', 'tags', 'authors'] as const);
        const { query, raw } = makeQuery({ random, publication, resource }, MAX);
        return { resource, raw, body: expectedList(publication, resource, query) };
      });
      writeFileSync(join(folder, 'cases.json'), JSON.stringify({ root, nowMs: ODD_NOW, cases }));
      writeFileSync(join(folder, 'program.js'), await bundleFor(folder));
      const printed = execFileSync('njs', [join(folder, 'program.js')], { encoding: 'utf8' });
      expect(printed.trim()).toBe(`${QUERIES} are equal`);
    }
  },
);
