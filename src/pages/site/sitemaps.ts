// The sitemap of the pages for readers: one file, or an index of further files where it would hold more addresses than
// search engines read of one (sitemaps.org).

const URLS_MAX = 50_000;

export type SitemapEntry = {
  readonly url: string;
  /** When it last changed. */
  readonly time: string | null;
};

export type Sitemap = {
  /** Relative to the folder of the pages. */
  readonly file: string;
  /** Its entries are sitemaps. */
  readonly isIndex: boolean;
  readonly entries: readonly SitemapEntry[];
};

/** `sitemap.xml` comes first; `home` is the whole address of the site, with its last slash. */
export const createSitemaps = (
  entries: readonly SitemapEntry[],
  home: string,
  urlsMax = URLS_MAX,
): Sitemap[] => {
  const whole: Sitemap = { file: 'sitemap.xml', isIndex: false, entries };
  if (entries.length <= urlsMax) return [whole];
  const parts = Array.from({ length: Math.ceil(entries.length / urlsMax) }, (_, at) => ({
    file: `sitemap-${at + 1}.xml`,
    isIndex: false,
    entries: entries.slice(at * urlsMax, (at + 1) * urlsMax),
  }));
  const listed = parts.map((part) => ({
    url: `${home}${part.file}`,
    time: newestOf(part.entries.map(({ time }) => time)),
  }));
  return [{ ...whole, isIndex: true, entries: listed }, ...parts];
};

/** Null where there is no time. */
export const newestOf = (times: readonly (string | null)[]): string | null =>
  times.reduce(
    (newest, time) =>
      time !== null && (newest === null || Date.parse(time) > Date.parse(newest)) ? time : newest,
    null,
  );
