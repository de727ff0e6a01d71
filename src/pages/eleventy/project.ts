// The Eleventy project that the program is started in: which file configures it, and, where it uses the plugin, which
// settings its builds have. The command line takes those over, so that it works on the tree that Eleventy makes.
import { existsSync, readFileSync } from 'node:fs';
import type { SettingName } from '../../settings/settings.ts';
import { asEleventyError } from './eleventy-error.ts';
import { noteProbe } from './host-run.ts';
import { loadEleventy } from './load-eleventy.ts';
import type { PrepressOptions } from './plugin-options.ts';

/** In Eleventy's order. */
const PROJECT_FILES = [
  '.eleventy.js',
  'eleventy.config.js',
  'eleventy.config.mjs',
  'eleventy.config.cjs',
];

/** Relative to the working folder. */
export const findProjectFile = (): string | null =>
  PROJECT_FILES.find((file) => existsSync(file)) ?? null;

/** The configuration of the project, and the files of its own that it names; none without a project. */
export const listProjectFiles = (): string[] => {
  const file = findProjectFile();
  if (file === null) return [];
  const text = readFileSync(file, 'utf8');
  const named = [...text.matchAll(/['"`](\.{1,2}\/[^'"`]+)['"`]/g)].map(([, path = '']) => path);
  return [file, 'package.json', ...named].filter((path) => existsSync(path));
};

export type ProjectSettings = {
  /** They win over environment and settings file, as in Eleventy's own builds. */
  readonly settings: Readonly<Partial<Record<SettingName, unknown>>>;
  readonly configFile: string | undefined;
};

/** Null where no project uses the plugin. Throws CONFIG_INVALID when the project's file cannot be loaded. */
export const findProjectSettings = async (): Promise<ProjectSettings | null> => {
  const file = findProjectFile();
  return file === null || !mayTellSettings(file) ? null : askProject(file);
};

/** To load Eleventy takes half a second; a project that places its pages into the setting `output` tells no other. */
const mayTellSettings = (file: string): boolean => {
  const text = readFileSync(file, 'utf8');
  if (!text.includes('prepress')) return false;
  return !PLACES_PAGES.test(text) || /settings\b|configFile/.test(text);
};

const PLACES_PAGES = /placesPages:\s?true/;

/** Whether the project's file asks for pages in the setting `output`; it need not be one that can be loaded. */
export const asksToPlacePages = (file: string): boolean =>
  PLACES_PAGES.test(readFileSync(file, 'utf8'));

const askProject = async (file: string): Promise<ProjectSettings | null> => {
  const joined: PrepressOptions[] = [];
  const { Eleventy } = await loadEleventy();
  const eleventy = new Eleventy(undefined, undefined, {
    source: 'script',
    runMode: 'build',
    quietMode: true,
    configPath: file,
    config: (eleventyConfig) =>
      noteProbe(eleventyConfig, { onJoined: (options) => void joined.push(options) }),
  });
  eleventy.disableLogger();
  try {
    await eleventy.init();
  } catch (cause) {
    const begins = `The Eleventy configuration ${file} cannot be loaded:`;
    throw asEleventyError(cause, 'CONFIG_INVALID', begins);
  }
  const [options] = joined;
  if (options === undefined) return null;
  const beside = options.placesPages === true ? {} : { output: eleventy.directories.output };
  return { settings: { ...beside, ...options.settings }, configFile: options.configFile };
};
