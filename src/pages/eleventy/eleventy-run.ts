// One run of Eleventy: with the project's .eleventy.js where the program is started, else with the templates that come
// with Prepress.
import { dirname, join, relative } from 'node:path';
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
