// One run of Eleventy: with the project's .eleventy.js where the program is started, else with the templates that come
// with Prepress.
import { dirname, join, relative } from 'node:path';
import { PrepressError } from '../../base/errors.ts';
import { dataPathsOf } from '../../settings/data-paths.ts';
import type { Config } from '../../settings/settings.ts';
import type { EleventyConfig } from './eleventy-config.ts';
import { type HostRun, noteHostRun } from './host-run.ts';
import { loadEleventy } from './load-eleventy.ts';
import { packageFolder } from './package-folder.ts';
import prepress from './plugin.ts';
import { findProjectFile } from './project.ts';

/** `isOnlyRun`: see renderPages. Throws PACKAGE_MISSING. */
export const createRun = async (host: HostRun, isOnlyRun: boolean) => {
  const { Eleventy } = await loadEleventy();
  const projectFile = findProjectFile();
  const eleventy = new Eleventy(undefined, undefined, {
    source: 'script',
    runMode: 'build',
    quietMode: true,
    configPath: projectFile ?? '',
    config: (eleventyConfig) => {
      noteHostRun(eleventyConfig, host);
      eleventyConfig.setUseTemplateCache(isOnlyRun);
      if (projectFile === null) useOwnTemplates(eleventyConfig, host.config);
    },
  });
  eleventy.disableLogger();
  return eleventy;
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

type Wrapped = {
  readonly message?: unknown;
  readonly originalError?: unknown;
  readonly cause?: unknown;
};

/** Eleventy wraps an error in what it was doing, and often repeats it there. */
export const asPageError = (error: unknown): unknown => {
  let text = 'The pages cannot be rendered:';
  let inner: unknown = error;
  while (typeof inner === 'object' && inner !== null) {
    if (inner instanceof PrepressError) return inner;
    const { message, originalError, cause } = inner as Wrapped;
    if (!text.includes(String(message))) text += ` ${message}`;
    inner = originalError ?? cause;
  }
  const hint = 'Run "npm install" in the folder of eleventy.config.js and build again.';
  const isAbsent = /Cannot find (?:package|module) /.test(text);
  return new PrepressError('PAGES_INVALID', text, { cause: error, ...(isAbsent && { hint }) });
};
