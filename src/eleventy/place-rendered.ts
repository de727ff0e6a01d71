// Hands what Eleventy rendered and copied to the output: its own output folder is only a staging place.
import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Config } from '../config/settings.ts';
import { type Page, type PageFilesReport, placePages } from '../emit/page-files.ts';
import { openPageRecord } from '../emit/page-record.ts';
import { dataPathsOf } from '../publisher/paths.ts';
import { acquireBuildLock } from '../store/sqlite/build-lock.ts';
import type { AfterEvent } from './eleventy-config.ts';
import { findGeneration } from './emit-content.ts';
import type { PlannedSite } from './site/site.ts';

const LOCK_TIMEOUT_MS = 60_000;

export type RenderedPages = {
  readonly config: Config;
  readonly event: AfterEvent;
  /** A program of ours runs Eleventy, which then need not write files itself. */
  readonly isHosted: boolean;
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
  const paths = dataPathsOf(config);
  const folder = dirname(paths.database);
  const lock = await acquireBuildLock(join(folder, 'pages.lock.db'), LOCK_TIMEOUT_MS);
  const planned = rendered.planned();
  const root = dirname(paths.contentFolder);
  const record = pageRecordOf(config);
  try {
    planned?.begin();
    const report = await placePages({
      root,
      record,
      pages: [...renderedPages(event), ...copiedPages(rendered.copied)],
      kept: planned?.kept ?? [],
      generation: { shown: rendered.generation, newest: findGeneration(config) },
      isPartial: event.incremental,
    });
    const { generation } = openPageRecord(record, realpathSync(root));
    // Else another program placed pages of a newer build.
    if (generation === rendered.generation) planned?.end();
    return report;
  } finally {
    lock.release();
  }
};

/** The record of which files are pages. */
export const pageRecordOf = (config: Config): string =>
  join(dirname(dataPathsOf(config).database), 'pages.json');

const renderedPages = ({ results, directories }: AfterEvent): Page[] =>
  results.map(({ outputPath, content }) => ({
    path: relative(resolve(directories.output), resolve(outputPath)).split(sep).join('/'),
    read: () => Buffer.from(content),
  }));

const copiedPages = (copied: Readonly<Record<string, string>>): Page[] =>
  Object.entries(copied).map(([address, file]) => ({
    path: decodeURI(address).slice(1),
    read: () => readFileSync(file),
  }));
