// Renders the pages for people after a build, by running Eleventy in this process: with the project's
// .eleventy.js where the program is started, else with the templates that come with Prepress. The content
// is taken as it stands. Eleventy is loaded when pages are first asked for, which takes about half a second.
import { dirname } from 'node:path';
import type { PageFilesReport } from '../../publish/output/pages/page-files.ts';
import { createPageStage } from '../../publish/output/pages/page-stage.ts';
import { dataPathsOf } from '../../settings/data-paths.ts';
import { presetVariable } from '../../settings/preset.ts';
import type { Config } from '../../settings/settings.ts';
import { asksForPages } from './asks-for-pages.ts';
import { asEleventyError } from './eleventy-error.ts';
import { createRun } from './eleventy-run.ts';
import type { HostRun } from './host-run.ts';
import { loadEleventy } from './load-eleventy.ts';
import { findSealedSources, sealPages } from './page-seal.ts';
import { removeMovedPages, removePages } from './place-rendered.ts';
import { findProjectFile, listProjectFiles } from './project.ts';
import { takeBack } from './take-back.ts';

export type RenderReport = PageFilesReport & {
  readonly milliseconds: number;
  /** False where nothing asks for pages, or the project's .eleventy.js does not place them with this plugin. */
  readonly isRendered: boolean;
  /** Files and folders that the pages are made of. */
  readonly sources: readonly string[];
  readonly warnings: readonly string[];
};

const NOTHING = { written: [], removed: [], blocked: [], sources: [], warnings: [] };

let isPreloaded = false;

/**
 * Loads Eleventy while something else is waited for, in a program that renders once; a failure shows when it is
 * needed.
 */
export const preloadEleventy = (): void => {
  if (isPreloaded) return;
  isPreloaded = true;
  // It has old modules loaded anew when they are edited between two runs, for which it may start a thread.
  presetVariable('ELEVENTY_SKIP_ESM_RESOLVER', '1');
  loadEleventy().catch(() => undefined);
};

type RenderOptions = {
  /** Render even if neither the content nor the templates have changed. */
  readonly isForced?: boolean;
  /**
   * The thread or program ends without another run, so Eleventy may keep what it compiles. Without it every page compiles
   * its layouts anew, which takes half of the time: a template may be edited between two runs.
   */
  readonly isOnlyRun?: boolean;
};

/** Throws PAGES_INVALID for a template that cannot be rendered or placed, OUTPUT_UNWRITABLE, PACKAGE_MISSING. */
export const renderPages = async (
  config: Config,
  { isForced = false, isOnlyRun = false }: RenderOptions = {},
): Promise<RenderReport> => {
  const started = performance.now();
  const startedMs = Date.now();
  await removeMovedPages(config);
  if (!(await asksForPages(config))) {
    return reportOf({ ...NOTHING, ...(await removePages(config)), isRendered: false }, started);
  }
  const sealed = isForced ? null : findSealedSources(config);
  if (sealed !== null) return reportOf({ ...NOTHING, isRendered: true, sources: sealed }, started);
  let placed: PageFilesReport = NOTHING;
  let sources: readonly string[] = [];
  let warnings: readonly string[] = [];
  let isRendered = false;
  const projectFile = findProjectFile();
  const stage = createPageStage(dirname(dataPathsOf(config).contentFolder));
  const host: HostRun = {
    config,
    isForced,
    stage,
    onJoined: ({ placesPages }) => {
      isRendered = placesPages;
    },
    onPlaced: (report, rendered) => {
      placed = report;
      warnings = rendered.warnings;
      sources = [...rendered.sources, ...listProjectFiles()];
    },
  };
  try {
    const eleventy = await createRun(host, isOnlyRun);
    await eleventy.init();
    // What a project copies is copied by `write` alone; the others need no files in a staging folder.
    if (isRendered) await (projectFile === null ? eleventy.toJSON() : eleventy.write());
  } catch (error) {
    const known = asEleventyError(error);
    // A build that replaced what was read is followed by another run.
    const isReplaced = known.code === 'OUTPUT_DIFFERS';
    if (!isReplaced) await takeBack(config);
    throw known;
  } finally {
    await stage?.close();
  }
  if (isRendered && placed.blocked.length === 0) sealPages(config, sources, startedMs);
  return reportOf({ ...placed, isRendered, sources, warnings }, started);
};

const reportOf = (report: Omit<RenderReport, 'milliseconds'>, started: number): RenderReport => ({
  ...report,
  milliseconds: Math.round(performance.now() - started),
});
