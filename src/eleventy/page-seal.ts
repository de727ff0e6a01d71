// Tells whether the pages in the output still are what rendering would give, without loading Eleventy. After
// a run its sources, its pages and everything else that it saw are noted by identity and time; as long as
// all of that is as it was, there is nothing to render. In doubt, pages are rendered.
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import packageFacts from '../../package.json' with { type: 'json' };
import type { Config } from '../config/settings.ts';
import { stampOf } from '../emit/file-stamp.ts';
import { openPageRecord, type PageRecord } from '../emit/page-record.ts';
import { writeWhole } from '../emit/write-whole.ts';
import { dataPathsOf } from '../publisher/paths.ts';
import { findGeneration } from './emit-content.ts';

const schema = z.object({ sources: z.array(z.string()), digest: z.string() });

/** What the pages were made of, when they show the newest build and are as they were placed; else null. */
export const findSealedSources = (config: Config): readonly string[] | null => {
  try {
    const { sources, digest } = schema.parse(JSON.parse(readFileSync(sealFile(config), 'utf8')));
    return digestOf(config, sources) === digest ? sources : null;
  } catch {
    return null;
  }
};

/**
 * `sources` are the files and folders that were read; `startedMs` is the time before any of them was. Pages of an older
 * build than the newest one, placed meanwhile, are not sealed.
 */
export const sealPages = (config: Config, sources: readonly string[], startedMs: number): void => {
  if (newestChangeMs(sources) >= startedMs) return;
  if (recordOf(config).generation !== findGeneration(config)) return;
  const seal = { sources, digest: digestOf(config, sources) };
  writeWhole(sealFile(config), `${JSON.stringify(seal)}\n`);
};

const sealFile = (config: Config): string =>
  join(dirname(dataPathsOf(config).database), 'pages-seal.json');

const digestOf = (config: Config, sources: readonly string[]): string => {
  const root = rootOf(config);
  const record = recordOf(config);
  const pages = [...record.paths].map((path) => join(root, path));
  const facts = [
    packageFacts.version,
    process.version,
    JSON.stringify(config),
    findGeneration(config),
    record.generation,
  ];
  const hash = createHash('sha256').update(facts.join('\n'));
  for (const path of [...sources, ...pages]) {
    for (const file of filesIn(path)) {
      hash.update(`\n${file} ${stampOf(lstatSync(file, { bigint: true }))}`);
    }
  }
  return hash.digest('hex');
};

const rootOf = (config: Config): string => realpathSync(dirname(dataPathsOf(config).contentFolder));

const recordOf = (config: Config): PageRecord =>
  openPageRecord(join(dirname(dataPathsOf(config).database), 'pages.json'), rootOf(config));

const newestChangeMs = (sources: readonly string[]): number =>
  sources.flatMap(filesIn).reduce((newest, file) => Math.max(newest, lstatSync(file).mtimeMs), 0);

/** The path itself, or all files below it. Throws when it does not exist. */
const filesIn = (path: string): string[] => {
  if (!lstatSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules' && name !== '.git')
    .flatMap((entry) => filesIn(join(path, entry.name)))
    .concat(path)
    .sort();
};
