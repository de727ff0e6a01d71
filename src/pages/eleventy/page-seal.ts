// Tells whether the pages in the output still are what rendering would give, without loading Eleventy. After
// a run its sources, its pages and everything else that it saw are noted by identity and time; as long as
// all of that is as it was, there is nothing to render. In doubt, pages are rendered.
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import packageFacts from '../../../package.json' with { type: 'json' };
import { statKeyOf } from '../../base/files/stat-key.ts';
import { writeWhole } from '../../base/files/write-whole.ts';
import type { Queryable } from '../../publication/store/store.ts';
import type { Manifest } from '../../publish/manifest/manifest.ts';
import {
  openWrittenFiles,
  RECORDS,
  type WrittenFiles,
} from '../../publish/output/copies/written-files.ts';
import { dataPathsOf } from '../../settings/data-paths.ts';
import type { Config } from '../../settings/settings.ts';
import { hasSite } from '../site/has-site.ts';
import { findGeneration } from './emit-content.ts';
import { asksToPlacePages, findProjectFile } from './project.ts';

const schema = z.object({ sources: z.array(z.string()), digest: z.string() });

/** What the pages were made of, when they show the newest build and are as they were placed; else null. */
export const findSealedSources = (config: Config): readonly string[] | null => {
  try {
    const { sources, digest } = schema.parse(JSON.parse(readFileSync(sealFile(config), 'utf8')));
    return survey(config, sources).digest === digest ? sources : null;
  } catch {
    return null;
  }
};

/**
 * `sources` are the files and folders that were read; `startedMs` is the time before any of them was. Pages of an older
 * build than the newest one, placed meanwhile, are not sealed.
 */
export const sealPages = (config: Config, sources: readonly string[], startedMs: number): void => {
  if (recordOf(config).generation !== findGeneration(config)) return;
  const { digest, changedMs } = survey(config, sources);
  if (changedMs >= startedMs) return;
  const seal = { sources, digest };
  writeWhole(sealFile(config), `${JSON.stringify(seal)}\n`);
};

/**
 * Why readers do not see the content of the newest build; empty where they do, or nothing asks for pages. A project of its
 * own decides itself whether pages are placed.
 */
export const listPagesFaults = async (
  config: Config,
  { store, manifest }: PagesOf,
): Promise<string[]> => {
  const newest = manifest.generation();
  const isBuilt = newest > 0 && existsSync(dirname(dataPathsOf(config).contentFolder));
  if (!isBuilt || !(await hasSite(config, store))) return [];
  const { generation, paths } = recordOf(config);
  const projectFile = findProjectFile();
  if (projectFile !== null && paths.size === 0 && !asksToPlacePages(projectFile)) return [];
  return generation < newest
    ? ['HTML pages are missing, or older than the content; "prepress build" names the reason']
    : [];
};

type PagesOf = {
  readonly store: Queryable;
  readonly manifest: Pick<Manifest, 'generation'>;
};

const sealFile = (config: Config): string =>
  join(dirname(dataPathsOf(config).database), 'pages-seal.json');

type Survey = {
  readonly digest: string;
  /** When a source was changed last. */
  readonly changedMs: number;
};

/** One look at each file tells both: a source that changes after it was looked at has another digest next time. */
const survey = (config: Config, sources: readonly string[]): Survey => {
  const root = rootOf(config);
  const record = recordOf(config);
  const facts = [
    packageFacts.version,
    process.version,
    JSON.stringify(config),
    findGeneration(config),
    record.generation,
  ];
  const hash = createHash('sha256').update(facts.join('\n'));
  let changedMs = 0;
  for (const file of sources.flatMap(filesIn)) {
    const stats = lstatSync(file, { bigint: true });
    // A file may be replaced by one that has an older time of its contents.
    changedMs = Math.max(changedMs, Number(stats.ctimeMs), Number(stats.mtimeMs));
    hash.update(`\n${file} ${statKeyOf(stats)}`);
  }
  for (const path of record.paths) {
    const file = join(root, path);
    hash.update(`\n${file} ${statKeyOf(lstatSync(file, { bigint: true }))}`);
  }
  return { digest: hash.digest('hex'), changedMs };
};

const rootOf = (config: Config): string => realpathSync(dirname(dataPathsOf(config).contentFolder));

const recordOf = (config: Config): WrittenFiles =>
  openWrittenFiles(join(dirname(dataPathsOf(config).database), RECORDS.pages), rootOf(config));

/** The path itself, or all files below it. Throws when it does not exist. */
const filesIn = (path: string): string[] => {
  if (!lstatSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules' && name !== '.git')
    .flatMap((entry) => filesIn(join(path, entry.name)))
    .concat(path)
    .sort();
};
