// Hands what Eleventy rendered and copied to the output: its own output folder is only a staging place.
import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { isInside, realPathOf } from '../../base/files/inside.ts';
import { acquireBuildLock } from '../../publication/store/locks/build-lock.ts';
import {
  openWrittenFiles,
  RECORDS,
  recordedTrees,
} from '../../publish/output/copies/written-files.ts';
import type { Page } from '../../publish/output/pages/page.ts';
import { type PageFilesReport, placePages } from '../../publish/output/pages/page-files.ts';
import type { PageStage, StagedPages } from '../../publish/output/pages/page-stage.ts';
import { dataPathsOf } from '../../settings/data-paths.ts';
import type { Config } from '../../settings/settings.ts';
import type { PlannedSite } from '../site/site.ts';
import { saveSaid } from '../site/site-state.ts';
import type { AfterEvent } from './eleventy-config.ts';
import { findGeneration } from './emit-content.ts';
import { siteRecordsIn } from './publication.ts';

/** A first publish of many posts converts their Markdown while it holds the lock. */
const LOCK_TIMEOUT_MS = 10 * 60_000;

export type RenderedPages = {
  readonly config: Config;
  readonly event: AfterEvent;
  /** A program of ours runs Eleventy, which then need not write files itself. */
  readonly isHosted: boolean;
  /** What it wrote ahead, which may be nothing. */
  readonly stage?: PageStage | null | undefined;
  /** Percent-encoded address -> copied file. */
  readonly copied: Readonly<Record<string, string>>;
  /** Number of the build that the templates saw. */
  readonly generation: number;
  /** Pages for readers, once a template asked for them. */
  readonly planned: () => PlannedSite | null;
};

/**
 * Nothing is placed, and nothing removed, when no template was written: a dry run looks like that, and so
 * does the first run of --ignore-initial.
 */
export const placeRendered = async (rendered: RenderedPages): Promise<PageFilesReport> => {
  const { config, event } = rendered;
  const isFiles = (event.outputMode === 'fs' || rendered.isHosted) && event.results.length > 0;
  if (!isFiles) return { written: [], removed: [], blocked: [] };
  const staged = (await rendered.stage?.finish()) ?? null;
  const planned = rendered.planned();
  const pages = [...renderedPages(event, staged), ...copiedPages(rendered.copied)];
  const own = new Set(pages.map(({ path }) => path));
  // A file of the project stands where it has the name of a text.
  const texts = (planned?.texts() ?? []).filter(({ path }) => !own.has(path));
  const root = dirname(dataPathsOf(config).contentFolder);
  const record = pageRecordOf(config);
  const lock = await lockPages(config);
  try {
    planned?.begin();
    if (planned === null && !event.incremental) noteOthers(rendered);
    const report = await placePages({
      root,
      record,
      pages: [...pages, ...texts],
      ...(staged !== null && { stage: { folder: staged.folder, paths: staged.pages.keys() } }),
      kept: planned?.kept ?? [],
      copies: copiesBelow(config),
      generation: { shown: rendered.generation, newest: findGeneration(config) },
      isPartial: event.incremental,
    });
    const { generation, paths } = openWrittenFiles(record, realpathSync(root));
    // Else another program placed pages of a newer build.
    if (generation === rendered.generation) planned?.end((page) => paths.has(page));
    return report;
  } finally {
    lock.release();
  }
};

/** Other pages may now stand in the places of those of a site. */
const noteOthers = ({ config, isHosted, generation }: RenderedPages): void => {
  const file = siteStateOf(config);
  const folder = dataPathsOf(config).contentFolder;
  rmSync(file, { force: true });
  if (!isHosted || generation !== findGeneration(config)) return;
  const pictures = { folder, widths: config['images.sizes'] };
  saveSaid({ records: siteRecordsIn(folder), pictures, file });
};

/** Removes the pages that were placed when they were still asked for. */
export const removePages = async (config: Config): Promise<PageFilesReport> =>
  hasPlacedPages(config)
    ? removePagesIn(config, dirname(dataPathsOf(config).contentFolder))
    : { written: [], removed: [], blocked: [] };

/** Removes the pages of an earlier `basePath`. Those in another output stay: a host may still serve it. */
export const removeMovedPages = async (config: Config): Promise<void> => {
  const { contentFolder, output } = dataPathsOf(config);
  const record = pageRecordOf(config);
  const moved = recordedTrees(record)
    .filter((root) => root !== realPathOf(dirname(contentFolder)))
    .filter((root) => isInside(root, realPathOf(output)))
    .filter((root) => openWrittenFiles(record, root).paths.size > 0);
  for (const root of moved) await removePagesIn(config, root);
};

const removePagesIn = async (config: Config, root: string): Promise<PageFilesReport> => {
  const lock = await lockPages(config);
  try {
    const newest = findGeneration(config);
    const generation = { shown: newest, newest };
    return await placePages({ root, record: pageRecordOf(config), pages: [], generation });
  } finally {
    lock.release();
  }
};

export const hasPlacedPages = (config: Config): boolean => {
  const root = dirname(dataPathsOf(config).contentFolder);
  return (
    existsSync(root) && openWrittenFiles(pageRecordOf(config), realpathSync(root)).paths.size > 0
  );
};

export const lockPages = (config: Config): ReturnType<typeof acquireBuildLock> =>
  acquireBuildLock(join(dirname(dataPathsOf(config).database), 'pages.lock.db'), LOCK_TIMEOUT_MS);

export const pageRecordOf = (config: Config): string =>
  join(dirname(dataPathsOf(config).database), RECORDS.pages);

/** What the pages that stand were made of. */
export const siteStateOf = (config: Config): string =>
  join(dirname(pageRecordOf(config)), 'pages-site.json');

/** What a host without pages shows, such as 404.html. */
const copiesBelow = (config: Config): string[] => {
  const { basePath, output } = config;
  if (!existsSync(output)) return [];
  const record = join(dirname(pageRecordOf(config)), RECORDS.copies);
  const { paths } = openWrittenFiles(record, realpathSync(output));
  return [...paths].map((path) => relative(basePath.slice(1), path));
};

/** A page that became other since it was written ahead has no staged hash. */
export const renderedPages = (
  { results, directories }: Pick<AfterEvent, 'results' | 'directories'>,
  staged: Pick<StagedPages, 'pages'> | null,
): Page[] =>
  results.map(({ outputPath, content }) => {
    const path = pagePath(outputPath, directories.output);
    const ahead = staged?.pages.get(path);
    const stagedHash = ahead?.text === content ? ahead?.hash : undefined;
    return { path, read: () => Buffer.from(content), stagedHash };
  });

/** Relative to Eleventy's output folder, with `/`. */
export const pagePath = (outputPath: string, folder: string): string =>
  relative(resolve(folder), resolve(outputPath)).split(sep).join('/');

const copiedPages = (copied: Readonly<Record<string, string>>): Page[] =>
  Object.entries(copied).map(([address, file]) => ({
    path: decodeURI(address).slice(1),
    read: () => readFileSync(file),
  }));
