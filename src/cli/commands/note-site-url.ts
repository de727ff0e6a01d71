// Says of a site address that it is probably the one of Ghost's admin, which lies in /ghost/ of the site.
import type { Report } from '../../serve/workspace/report.ts';

export const noteSiteUrl = (report: Report, siteUrl: string | undefined): void => {
  const site = siteUrl?.replace(/\/ghost\/?$/, '');
  if (site === siteUrl) return;
  report.print(
    `Note: siteUrl ${siteUrl} looks like Ghost's admin. If the site is ${site}, name that.`,
  );
};
