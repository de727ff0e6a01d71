// The Eleventy plugin: before each build it brings the content interface up to date, templates get the
// publication as data, and after it the pages go to the output. Nothing stays open between two builds.
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PrepressError } from '../../base/errors.ts';
import { letOthersRead } from '../../base/files/inherited-umask.ts';
import { counted } from '../../base/text/counted.ts';
import { toPrintable } from '../../base/text/printable.ts';
import type { PublishReport } from '../../publish/cycle/publish-once.ts';
import { openWrittenFiles } from '../../publish/output/copies/written-files.ts';
import type { PageFilesReport } from '../../publish/output/pages/page-files.ts';
import { dataPathsOf } from '../../settings/data-paths.ts';
import { loadConfig } from '../../settings/load.ts';
import type { Config } from '../../settings/settings.ts';
import { hasLlms, hasSite } from '../site/has-site.ts';
import { type PlannedSite, planPage, planSite, type Site } from '../site/site.ts';
import type { SiteRecords } from '../site/site-records.ts';
import { templateDigest } from '../site/template-digest.ts';
import type { BuildEvent, EleventyConfig } from './eleventy-config.ts';
import { emitContent, findGeneration } from './emit-content.ts';
import { findHostRun, findProbe, type HostRun, type OneRecord } from './host-run.ts';
import { blockedSentences, replacedRules } from './own-rules.ts';
import {
  pagePath,
  pageRecordOf,
  placeRendered,
  type RenderedPages,
  siteStateOf,
} from './place-rendered.ts';
import { type PrepressOptions, throwIfUnknown } from './plugin-options.ts';
import { listProjectFiles } from './project.ts';
import { createPublication, type Publication } from './publication.ts';
import { readPublished } from './published.ts';

export type { PrepressOptions };

/** `eleventyConfig.addPlugin(prepress, options)`; templates then have `publication`. */
const prepress = (eleventyConfig: EleventyConfig, options: PrepressOptions = {}): void => {
  eleventyConfig.versionCheck('>=3.0');
  throwIfUnknown(options);
  const { from, contentKey } = options;
  if (from !== undefined) {
    eleventyConfig.addGlobalData('publication', () =>
      explained(() => readPublished({ from, contentKey })),
    );
    return;
  }
  const placesPages = options.placesPages === true;
  const host = findHostRun(eleventyConfig);
  host?.onJoined({ placesPages });
  findProbe(eleventyConfig)?.onJoined(options);
  const print: Print = (message, type = 'log') =>
    eleventyConfig.logger?.logWithOptions({
      message: toPrintable(message),
      type,
      prefix: '[prepress]',
      force: true,
    });
  let build: Build | null = null;
  /** Eleventy's output folder. */
  let folder = '';

  eleventyConfig.on('eleventy.before', async (event) => {
    // With --to=json standard output belongs to Eleventy's answer.
    const tell = event.outputMode === 'fs' ? print : () => undefined;
    folder = event.directories.output;
    build = await explained(() => beginBuild(host, configOf(options, event), tell));
    if (build.hasSite && placesPages) build = { ...build, ...siteOf(build, host, event) };
  });
  eleventyConfig.addGlobalData('publication', () => publicationOf(build, host?.only));
  const stage = placesPages ? host?.stage : undefined;
  if (stage) {
    eleventyConfig.addTransform('prepress', function (content) {
      const { outputPath } = this.page;
      const isAhead = outputPath !== false && build !== null && countPlanned(build) >= AHEAD_MIN;
      if (isAhead) stage.put(pagePath(outputPath, folder), content);
      return content;
    });
  }
  eleventyConfig.on('eleventy.passthrough', ({ map }) => {
    build = build && { ...build, copied: map };
  });
  eleventyConfig.on('eleventy.after', async (event) => {
    if (build === null || host?.only !== undefined) return;
    const rendered = { ...build, event, isHosted: host !== null, stage };
    if (!placesPages) {
      for (const warning of replacedRules(rendered)) print(warning, 'warn');
      return;
    }
    const report = await explained(() => placeRendered(rendered));
    const planned = build.planned();
    const warnings = [
      ...(planned?.warnings ?? []),
      ...pathFaults(planned, build.config),
      ...blockedSentences(report, build.config),
    ];
    printPlaced(report, warnings, print);
    const sources = [event.directories.input, ...Object.values(build.copied)];
    host?.onPlaced(report, { sources, warnings });
  });
};

export default prepress;

/** For fewer pages the thread that writes them ahead would take longer to start than it saves. */
const AHEAD_MIN = 500;

const countPlanned = ({ planned }: Build): number => {
  const site = planned()?.site;
  return site === undefined ? 0 : site.posts.length + site.lists.length;
};

type Print = (message: string, type?: 'log' | 'warn') => void;

/** One run of Eleventy, from its start to its end. */
type Build = Omit<RenderedPages, 'event' | 'isHosted' | 'stage'> & {
  readonly hasSite: boolean;
  readonly hasLlms: boolean;
  readonly planSite?: (records: SiteRecords) => Site;
};

const beginBuild = async (
  host: HostRun | null,
  readConfig: () => Config,
  print: Print,
): Promise<Build> => {
  if (host !== null) {
    return begun(host.config, findGeneration(host.config));
  }
  const config = readConfig();
  letOthersRead();
  const report = await emitContent(config);
  printEmitted(report, print);
  return begun(config, report.generation);
};

const begun = async (config: Config, generation: number): Promise<Build> => ({
  config,
  generation,
  copied: {},
  planned: () => null,
  hasSite: await hasSite(config),
  hasLlms: config.markdown && (await hasLlms(config)),
});

/** The pages for readers are planned when a template first asks for them. */
const siteOf = (
  { config, hasLlms }: Build,
  host: HostRun | null,
  { directories }: BuildEvent,
): Pick<Build, 'planned' | 'planSite'> => {
  const shown = {
    pictures: { folder: dataPathsOf(config).contentFolder, widths: config['images.sizes'] },
    signupUrl: config.signupUrl ?? null,
  };
  const { only } = host ?? {};
  if (only !== undefined) {
    const planOnly = ({ settings }: SiteRecords): Site => planPage({ ...shown, settings }, only);
    return { planned: () => null, planSite: planOnly };
  }
  const record = pageRecordOf(config);
  const root = dirname(dataPathsOf(config).contentFolder);
  let planned: PlannedSite | null = null;
  return {
    planned: () => planned,
    planSite: (records) => {
      const { paths } = openWrittenFiles(record, realpathSync(root));
      const isThere = (page: string): boolean => paths.has(page) && existsSync(join(root, page));
      planned = planSite({
        records,
        templates: templateDigest([directories.input, ...listProjectFiles()]),
        ...shown,
        markdown: config.markdown
          ? { hasLlms, read: (page) => (isThere(page) ? readFileSync(join(root, page)) : null) }
          : null,
        state: {
          file: siteStateOf(config),
          isThere,
          isForced: host?.isForced ?? false,
        },
      });
      return planned.site;
    },
  };
};

/** Pages lie below basePath, and their links begin with the path of the site's address. */
const pathFaults = (planned: PlannedSite | null, { basePath }: Config): string[] => {
  const { root } = planned?.site ?? { root: basePath };
  const isAlike = root.endsWith(basePath) && (root === '') === (basePath === '');
  const sentence = `The path of the site's address is "${root}", and basePath is "${basePath}": links of pages lead nowhere until both are the same.`;
  return isAlike ? [] : [sentence];
};

const publicationOf = (build: Build | null, only: OneRecord | undefined): Publication => {
  if (build === null) throw new PrepressError('INTERNAL', 'No build has begun.');
  const { config } = build;
  return createPublication({
    only,
    folder: dataPathsOf(config).contentFolder,
    basePath: config.basePath,
    planSite: build.planSite,
  });
};

const configOf =
  (options: PrepressOptions, { directories }: BuildEvent) =>
  (): Config => {
    const beside = options.placesPages === true ? {} : { output: directories.output };
    return loadConfig({ flags: { ...beside, ...options.settings }, file: options.configFile });
  };

const printEmitted = (report: PublishReport, print: Print): void => {
  const { files, generation, records, milliseconds, warnings } = report;
  if (files.written + files.removed > 0) {
    const counts = `${counted(records, 'record')}, ${counted(files.written, 'file')} written, ${files.removed} removed`;
    print(`Content generation ${generation}: ${counts} in ${milliseconds} ms`);
  }
  for (const warning of warnings) print(warning, 'warn');
};

const printPlaced = (
  { written, removed }: PageFilesReport,
  warnings: readonly string[],
  print: Print,
): void => {
  if (written.length + removed.length > 0) {
    print(`Pages: ${written.length} written, ${removed.length} removed`);
  }
  for (const warning of warnings) print(warning, 'warn');
};

/** Eleventy prints message and stack of an error; one of the catalogue needs only its sentence. */
const explained = async <T>(run: () => Promise<T>): Promise<T> => {
  try {
    return await run();
  } catch (cause) {
    if (!(cause instanceof PrepressError)) throw cause;
    const details = Array.isArray(cause.details) ? cause.details : [];
    const lines = [cause.message, ...details.map((detail) => Object.values(detail).join(' '))];
    throw Object.assign(new Error(lines.join('\n'), { cause }), { skipOriginalStack: true });
  }
};
