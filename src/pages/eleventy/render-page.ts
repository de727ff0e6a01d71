// Renders the page of one record, of any status, as a run of all pages would, and places nothing. It is what a preview
// shows.
import type { Config } from '../../settings/settings.ts';
import { createSiteAddresses } from '../site/site-address.ts';
import { asksForPages } from './asks-for-pages.ts';
import { asEleventyError } from './eleventy-error.ts';
import { createRun } from './eleventy-run.ts';
import type { HostRun, OneRecord } from './host-run.ts';
import { pagePath } from './place-rendered.ts';

export type PageRequest = OneRecord & {
  /** Of the site. */
  readonly siteUrl: string;
};

/** Null where no page stands at the record's url. Throws PAGES_INVALID, OUTPUT_DIFFERS, PACKAGE_MISSING. */
export const renderPage = async (
  config: Config,
  { siteUrl, ...only }: PageRequest,
): Promise<string | null> => {
  const address = createSiteAddresses(siteUrl).find(only.record.url);
  if (address === null || !(await asksForPages(config))) return null;
  let placesPages = false;
  const host: HostRun = {
    ...{ config, only, isForced: true, stage: null },
    onJoined: (options) => {
      placesPages = options.placesPages;
    },
    onPlaced: () => undefined,
  };
  const eleventy = await createRun(host, true);
  try {
    await eleventy.init();
    if (!placesPages) return null;
    const results = await eleventy.toJSON();
    const folder = eleventy.directories.output;
    const found = results.find(
      ({ outputPath }) => outputPath && pagePath(outputPath, folder) === address.file,
    );
    return found === undefined ? null : String(found.content);
  } catch (error) {
    throw asEleventyError(error);
  }
};
