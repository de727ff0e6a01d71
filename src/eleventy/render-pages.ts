// Renders the pages for people after a build, by running Eleventy in this process: with the project's
// .eleventy.js where the program is started, else with the templates that come with Prepress. The content
// is taken as it stands. Eleventy is loaded on the first call, which takes about half a second.
import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { PrepressError } from '../base/errors.ts';
import type { Config } from '../config/settings.ts';
import type { PageFilesReport } from '../emit/page-files.ts';
import { dataPathsOf } from '../publisher/paths.ts';
import type { EleventyConfig } from './eleventy-config.ts';
import { type HostRun, noteHostRun } from './host-run.ts';
import prepress from './plugin.ts';

export type RenderReport = PageFilesReport & {
  readonly milliseconds: number;
  /** False when the project's .eleventy.js does not place pages with this plugin: nothing was rendered. */
  readonly isRendered: boolean;
};

const PROJECT_FILE = '.eleventy.js';
const NOTHING: PageFilesReport = { written: [], removed: [], blocked: [] };

/** Throws BUILD_INPUT_INVALID for a template that cannot be rendered or placed, OUTPUT_UNWRITABLE. */
export const renderPages = async (config: Config): Promise<RenderReport> => {
  const started = performance.now();
  let placed = NOTHING;
  let isRendered = false;
  const host: HostRun = {
    config,
    onJoined: ({ placesPages }) => {
      isRendered = placesPages;
    },
    onPlaced: (report) => {
      placed = report;
    },
  };
  const { Eleventy } = await import('@11ty/eleventy');
  const isProject = existsSync(PROJECT_FILE);
  const eleventy = new Eleventy(undefined, undefined, {
    source: 'script',
    runMode: 'build',
    quietMode: true,
    configPath: isProject ? PROJECT_FILE : '',
    config: (eleventyConfig) => {
      noteHostRun(eleventyConfig, host);
      // A template may be edited between two calls of one process.
      eleventyConfig.setUseTemplateCache(false);
      if (!isProject) useOwnTemplates(eleventyConfig, config);
    },
  });
  eleventy.disableLogger();
  try {
    await eleventy.init();
    if (isRendered) await eleventy.write();
  } catch (error) {
    throw asPageError(error);
  }
  return { ...placed, isRendered, milliseconds: Math.round(performance.now() - started) };
};

const useOwnTemplates = (eleventyConfig: EleventyConfig, config: Config): void => {
  const staging = join(dirname(dataPathsOf(config).database), 'pages-staging');
  eleventyConfig.setInputDirectory(relative('.', join(packageFolder(), 'content')));
  eleventyConfig.setOutputDirectory(relative('.', staging));
  // Prepress itself may be installed below one.
  eleventyConfig.ignores.delete('**/node_modules/**');
  eleventyConfig.setUseGitIgnore(false);
  eleventyConfig.addPlugin(prepress, { placesPages: true });
};

/** The folder of this package: the nearest one above that has a package.json. */
const packageFolder = (): string => {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
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
  return new PrepressError('BUILD_INPUT_INVALID', text, { cause: error });
};
