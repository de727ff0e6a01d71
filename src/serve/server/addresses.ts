// Reads the target of a request: in one spelling whatever was sent, and with the addresses that Ghost's clients use
// (`/ghost/api/content/...`, `/ghost/api/v4/admin/...`) rewritten to ours (decisions, Addresses). The original stays
// for redirects and the log.
import { canonicalPath } from '../../content/paths/canonical-path.ts';

const ALIAS = /^\/ghost\/api(?:\/(v2|v3|v4|canary))?(?=\/(?:content|admin)(?:[/?]|$))/;

/** What programs ask. Scripts of pages make addresses from their own, which two slashes would lead to another host. */
const FOR_PROGRAMS = /^\/(?:content|admin|hooks)(?=[/?]|$)/;

/**
 * What the router is given for the target of a request. Before the addresses of programs several slashes are one, as in
 * Ghost: scripts join `https://host/` and `/ghost/api/...`.
 */
export const rewriteTarget = (target: string, basePath: string): string => {
  const url = canonicalTarget(target);
  const { own, isBelow } = ownOf(url, basePath);
  const alias = ALIAS.exec(own);
  if (alias !== null) return `${basePath}${own.slice(alias[0].length)}`;
  return isBelow && FOR_PROGRAMS.test(own) ? `${basePath}${own}` : url;
};

/**
 * How many hosts a request names; HTTP/1.1 wants one (RFC 9112, 3.2). Two programs on its way might each believe another.
 */
export const countHosts = (rawHeaders: readonly string[]): number =>
  rawHeaders.filter((name, at) => at % 2 === 0 && name.length === 4 && /^host$/i.test(name)).length;

const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/**
 * Path and query of a target, the path in its one spelling; what is malformed stays, and the router refuses it. Of an
 * absolute target (`GET http://host/path`) the origin is dropped: it is the sender's word.
 */
export const canonicalTarget = (target: string): string => {
  const { path, query } = splitUrl(target.replace(ORIGIN, ''));
  const rooted = path.startsWith('/') ? path : `/${path}`;
  // The router would end the path there.
  const whole = rooted.replaceAll('#', '%23');
  return joinUrl(canonicalPath(whole) ?? whole, query);
};

/** The deprecated version that an address names, such as `v4`, or null. */
export const versionIn = (url: string, basePath: string): string | null =>
  aliasIn(url, basePath)?.[1] ?? null;

/** What an address has before `/content` or `/admin`: nothing, or such as `/ghost/api/v4`. */
export const prefixIn = (url: string, basePath: string): string =>
  aliasIn(url, basePath)?.[0] ?? '';

const aliasIn = (url: string, basePath: string): RegExpExecArray | null =>
  ALIAS.exec(ownOf(canonicalTarget(url), basePath).own);

/** What follows the base path, which an address of Ghost's clients may lack, after one slash. */
const ownOf = (url: string, basePath: string) => {
  const rooted = url.replace(/^\/+/, '/');
  const isBelow = rooted.startsWith(`${basePath}/`);
  const own = isBelow ? rooted.slice(basePath.length).replace(/^\/+/, '/') : rooted;
  return { own, isBelow };
};

export type SplitUrl = { readonly path: string; readonly query: string };

export const splitUrl = (url: string): SplitUrl => {
  const at = url.indexOf('?');
  return at === -1
    ? { path: url, query: '' }
    : { path: url.slice(0, at), query: url.slice(at + 1) };
};

/** The address, on this host, with the slash that its path lacks. */
export const slashed = (target: string): string => {
  const { path, query } = splitUrl(canonicalTarget(target));
  // Two slashes at the front would name another host.
  return joinUrl(`${path.replace(/^\/+/, '/')}/`, query);
};

const joinUrl = (path: string, query: string): string => (query === '' ? path : `${path}?${query}`);
