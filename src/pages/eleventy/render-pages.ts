// Renders the pages for people after a build, by running Eleventy in this process: with the project's
// .eleventy.js where the program is started, else with the templates that come with Prepress. The content
// is taken as it stands. Eleventy is loaded when pages are first asked for, which takes about half a second.
import { dirname, join, relative } from 'node:path';
import { PrepressError } from '../../base/errors.ts';
import type { PageFilesReport } from '../../publish/output/pages/page-files.ts';
import { createPageStage } from '../../publish/output/pages/page-stage.ts';
import { dataPathsOf } from '../../settings/data-paths.ts';
import { presetVariable } from '../../settings/preset.ts';
import type { Config } from '../../settings/settings.ts';
import { asksForPages } from './asks-for-pages.ts';
import type { EleventyConfig } from './eleventy-config.ts';
import { type HostRun, noteHostRun } from './host-run.ts';
import { loadEleventy } from './load-eleventy.ts';
import { packageFolder } from './package-folder.ts';
import { findSealedSources, sealPages } from './page-seal.ts';
import { removePages } from './place-rendered.ts';
import prepress from './plugin.ts';
import { findProjectFile, listProjectFiles } from './project.ts';

export type RenderReport = PageFilesReport & {
  readonly milliseconds: number;
  /** False where nothing asks for pages, or the project's .eleventy.js does not place them with this plugin. */
  readonly isRendered: boolean;
  /** Files and folders that the pages are made of. */
  readonly sources: readonly string[];
  /** Urls of records that can have no page. */
  readonly absent: readonly string[];
};

const NOTHING = { written: [], removed: [], blocked: [], sources: [], absent: [] };

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
  if (!(await asksForPages(config))) {
    return reportOf({ ...NOTHING, ...(await removePages(config)), isRendered: false }, started);
  }
  const sealed = isForced ? null : findSealedSources(config);
  if (sealed !== null) return reportOf({ ...NOTHING, isRendered: true, sources: sealed }, started);
  let placed: PageFilesReport = NOTHING;
  let sources: readonly string[] = [];
  let absent: readonly string[] = [];
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
      absent = rendered.absent;
      sources = [...rendered.sources, ...listProjectFiles()];
    },
  };
  const { Eleventy } = await loadEleventy();
  const eleventy = new Eleventy(undefined, undefined, {
    source: 'script',
    runMode: 'build',
    quietMode: true,
    configPath: projectFile ?? '',
    config: (eleventyConfig) => {
      noteHostRun(eleventyConfig, host);
      eleventyConfig.setUseTemplateCache(isOnlyRun);
      if (projectFile === null) useOwnTemplates(eleventyConfig, config);
    },
  });
  eleventy.disableLogger();
  try {
    await eleventy.init();
    // What a project copies is copied by `write` alone; the others need no files in a staging folder.
    if (isRendered) await (projectFile === null ? eleventy.toJSON() : eleventy.write());
  } catch (error) {
    throw asPageError(error);
  } finally {
    await stage?.close();
  }
  if (isRendered && placed.blocked.length === 0) sealPages(config, sources, startedMs);
  return reportOf({ ...placed, isRendered, sources, absent }, started);
};

const reportOf = (report: Omit<RenderReport, 'milliseconds'>, started: number): RenderReport => ({
  ...report,
  milliseconds: Math.round(performance.now() - started),
});

const useOwnTemplates = (eleventyConfig: EleventyConfig, config: Config): void => {
  const staging = join(dirname(dataPathsOf(config).database), 'pages-staging');
  eleventyConfig.setInputDirectory(relative('.', join(packageFolder(), 'content')));
  eleventyConfig.setOutputDirectory(relative('.', staging));
  // Prepress itself may be installed below one.
  eleventyConfig.ignores.delete('**/node_modules/**');
  eleventyConfig.setUseGitIgnore(false);
  eleventyConfig.addPlugin(prepress, { placesPages: true });
};

type Wrapped = {
  readonly message?: unknown;
  readonly originalError?: unknown;
  readonly cause?: unknown;
};

/** Eleventy wraps an error in what it was doing, and often repeats it there. */
const asPageError = (error: unknown): unknown => {
  let text = 'The pages cannot be rendered:';
  let inner: unknown = error;
  while (typeof inner === 'object' && inner !== null) {
    if (inner instanceof PrepressError) return inner;
    const { message, originalError, cause } = inner as Wrapped;
    if (!text.includes(String(message))) text += ` ${message}`;
    inner = originalError ?? cause;
  }
  return new PrepressError('PAGES_INVALID', text, { cause: error });
};
