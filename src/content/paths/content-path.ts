// What precedes an address: the base path, and the prefixes of Ghost's own interface. Runtime-neutral, and written so that the
// oldest of the edge runtimes can run it.

/** Versions of the interface that addresses may name, and that Ghost does not need any more. */
export const DEPRECATED_VERSIONS = ['v2', 'v3', 'v4', 'canary'] as const;

/** Any of them, as a part of a regular expression. */
export const ANY_VERSION = DEPRECATED_VERSIONS.join('|');

/** What Ghost's clients have before `/content` and `/admin`. */
export const GHOST_PREFIXES = ['/ghost/api'].concat(
  DEPRECATED_VERSIONS.map((version) => `/ghost/api/${version}`),
);

const ALIAS = /^\/ghost\/api(?:\/(v2|v3|v4|canary))?(?=\/content(?:\/|$))/;

/** The raw path after `/content/` of any of the prefixes that are answered, or null. */
export const contentPath = (rawPath: string, basePath: string): string | null => {
  const own = withoutBase(rawPath, basePath);
  const alias = ALIAS.exec(own);
  if (alias === null && own === rawPath && basePath !== '') return null;
  const rest = alias === null ? own : own.slice(alias[0].length);
  if (rest === '/content') return '';
  return rest.indexOf('/content/') === 0 ? rest.slice('/content/'.length) : null;
};

/** The version that a path of the interface names, such as `v4`, or null. */
export const versionOf = (rawPath: string, basePath: string): string | null => {
  const alias = ALIAS.exec(withoutBase(rawPath, basePath));
  return alias === null ? null : alias[1] || null;
};

const withoutBase = (rawPath: string, basePath: string): string =>
  basePath !== '' && rawPath.indexOf(`${basePath}/`) === 0
    ? rawPath.slice(basePath.length)
    : rawPath;
