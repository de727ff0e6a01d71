// Rewrites the addresses that Ghost's clients use to ours: `/ghost/api/content/...`,
// `/ghost/api/v4/admin/...` and the like (decisions, Addresses). The original stays for redirects.

const ALIAS = /^\/ghost\/api(?:\/(v2|v3|v4|canary))?(?=\/(?:content|admin)(?:[/?]|$))/;

/** `url` is the raw path and query of a request. */
export const rewriteAlias = (url: string, basePath: string): string => {
  const own = withoutBase(url, basePath);
  const alias = ALIAS.exec(own);
  return alias === null ? url : `${basePath}${own.slice(alias[0].length)}`;
};

/** The deprecated version that an address names, such as `v4`, or null. */
export const versionIn = (url: string, basePath: string): string | null =>
  ALIAS.exec(withoutBase(url, basePath))?.[1] ?? null;

const withoutBase = (url: string, basePath: string): string =>
  basePath !== '' && url.startsWith(`${basePath}/`) ? url.slice(basePath.length) : url;

export type SplitUrl = { readonly path: string; readonly query: string };

export const splitUrl = (url: string): SplitUrl => {
  const at = url.indexOf('?');
  return at === -1
    ? { path: url, query: '' }
    : { path: url.slice(0, at), query: url.slice(at + 1) };
};

/** The address with the slash that its path lacks. */
export const slashed = (url: string): string => {
  const { path, query } = splitUrl(url);
  return query === '' ? `${path}/` : `${path}/?${query}`;
};
