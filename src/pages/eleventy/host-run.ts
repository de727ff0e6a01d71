// How a program that runs Eleventy itself speaks with the plugin: by a note on the configuration object,
// because the project's .eleventy.js loads the plugin on its own and may get another copy of its modules.

import type { PageFilesReport } from '../../publish/output/pages/page-files.ts';
import type { PageStage } from '../../publish/output/pages/page-stage.ts';
import type { Config } from '../../settings/settings.ts';
import type { SitePost } from '../site/site-records.ts';
import type { PostView } from '../site/site-views.ts';
import type { EleventyConfig } from './eleventy-config.ts';
import type { PrepressOptions } from './plugin-options.ts';

export type HostRun = {
  /** The configuration to use; its content was emitted already. */
  readonly config: Config;
  /** Every page is to be rendered. */
  readonly isForced: boolean;
  readonly onJoined: (options: { readonly placesPages: boolean }) => void;
  /** Writes pages while others are rendered. */
  readonly stage: PageStage | null;
  readonly onPlaced: (report: PageFilesReport, rendered: RenderedFrom) => void;
  /** Templates get this record alone, and nothing is placed. */
  readonly only?: OneRecord;
};

export type OneRecord = { readonly kind: PostView['kind']; readonly record: SitePost };

export type RenderedFrom = {
  /** Files and folders that the pages were made of. */
  readonly sources: readonly string[];
  readonly warnings: readonly string[];
};

/** A program that only wants to know how the project uses the plugin. */
export type Probe = {
  readonly onJoined: (options: PrepressOptions) => void;
};

const NOTE: unique symbol = Symbol.for('prepress.host-run');

const PROBE: unique symbol = Symbol.for('prepress.probe');

type Noted = { [NOTE]?: HostRun; [PROBE]?: Probe };

export const noteHostRun = (eleventyConfig: EleventyConfig, run: HostRun): void => {
  Object.assign<object, Noted>(eleventyConfig, { [NOTE]: run });
};

export const findHostRun = (eleventyConfig: EleventyConfig & Noted): HostRun | null =>
  eleventyConfig[NOTE] ?? null;

export const noteProbe = (eleventyConfig: EleventyConfig, probe: Probe): void => {
  Object.assign<object, Noted>(eleventyConfig, { [PROBE]: probe });
};

export const findProbe = (eleventyConfig: EleventyConfig & Noted): Probe | null =>
  eleventyConfig[PROBE] ?? null;
