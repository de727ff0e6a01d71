// What is said of a site address that was named: that it is probably Ghost's admin, which lies in /ghost/ of the site, or
// that later builds use another.
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { Report } from '../../serve/workspace/report.ts';
import { loadConfig } from '../../settings/load.ts';

export const noteSiteUrl = (report: Report, siteUrl: string | undefined): void => {
  const site = siteUrl?.replace(/\/ghost\/?$/, '');
  if (site === siteUrl) return;
  report.print(
    `Note: siteUrl ${siteUrl} looks like Ghost's admin. If the site is ${site}, name that.`,
  );
};

/** Of a flag, which holds for this command alone where the settings have another address. */
export const noteOtherSiteUrl = (
  report: Report,
  siteUrl: unknown,
  { settingsFile }: { readonly settingsFile: string },
): void => {
  if (typeof siteUrl !== 'string') return;
  const file = existsSync(settingsFile) ? settingsFile : undefined;
  const later = loadConfig({ file }).siteUrl;
  if (later === undefined || later === loadConfig({ flags: { siteUrl } }).siteUrl) return;
  report.print(
    `Note: later builds use ${later}, which the settings give as siteUrl, and not ${siteUrl}.`,
  );
  report.print(`Change it in ${basename(settingsFile)} or PREPRESS_SITE_URL.`);
};
