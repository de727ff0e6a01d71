// Redirects for hosts whose `_redirects` knows whole segments of a path and its rest, but no regular expressions.
import { compilePath } from '../../../base/text/path-pattern.ts';
import { isKeptPath, type Redirect } from '../../../publication/store/content/redirects.ts';
import type { HostSite, PlainRedirects } from '../host.ts';

type RedirectSite = Pick<HostSite, 'redirects' | 'basePath'>;

/** Where a file stands, a rule applies only with its mark. */
export const NETLIFY_REDIRECTS: PlainRedirects = { mark: '!' };

export const CLOUDFLARE_REDIRECTS: PlainRedirects = {
  mark: '',
  max: { fixed: 2_000, dynamic: 100, lineCharacters: 1_000 },
  // It takes the end off such a target, and calls what is left an endless loop.
  isRefused: (from, to) =>
    to.startsWith('/') && /\/\*?$/.test(from) && /\/index(?:\.html)?$/.test(to),
};

const NO_MAX = {
  fixed: 0,
  dynamic: Number.POSITIVE_INFINITY,
  lineCharacters: Number.POSITIVE_INFINITY,
};

const PIECE = /(?<=\/)\((?:\[\^\/\?\\x20\]\+\)(?=\/|$)|\[\^\?\\x20\]\*\)$)/g;

type Plain = { readonly froms: readonly string[]; readonly to: string };

/** Null where it cannot be written: also what could take an address of the interface, lead to itself or to another site. */
const plainOf = ({ source, target }: Redirect): Plain | null => {
  const names: string[] = [];
  const from = source
    .replace(/\/\?$/, '')
    .replace(PIECE, (piece) => {
      names.push(piece.endsWith('*)') ? ':splat' : `:g${names.length + 1}`);
      return names.at(-1) ?? '';
    })
    .replace(/:splat$/, '*')
    .replaceAll('[^?\\x20]', '.')
    .replace(/\\x(25|2e|2b|40)/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
  const isPlain = /^\/(?:$|[\w~.%+@-]+(?:$|\/[\w~/.%+@:-]*\*?$))/.test(from);
  if (!isPlain || isKeptPath(from)) return null;
  const given = `${target.path}${target.query}${target.hash}`;
  // Nothing else may be read as part of a name.
  if (/\$[1-9](?![/?#&]|$)|:(?:g\d|splat)/.test(given)) return null;
  const to = given.replace(/\$([1-9])/g, (_, digit: string) => names[Number(digit) - 1] ?? '');
  const leadsAway = to.startsWith('/:') && names.includes(':splat');
  if (leadsAway || unslashed(to) === unslashed(from)) return null;
  const isOneSpelling = /[*/]$/.test(from) || !source.endsWith('/?');
  return { froms: isOneSpelling ? [from] : [from, `${from}/`], to };
};

const isFixed = (froms: readonly string[]): boolean => froms.every((from) => !/[:*]/.test(from));

const unslashed = (path: string): string => path.replace(/(?<=.)\/$/, '');

/**
 * The lines of a host, and the redirects that it is not given: each is written whole or not at all. A host with a limit gets
 * whole paths first, except those that an earlier line takes.
 */
export const planPlainRedirects = (
  { redirects, basePath }: RedirectSite,
  { mark, max, isRefused = () => false }: PlainRedirects,
): { readonly lines: readonly string[]; readonly left: readonly Redirect[] } => {
  const left: Redirect[] = [];
  const lines = { fixed: [] as string[], dynamic: [] as string[] };
  const { lineCharacters, ...room } = max ?? NO_MAX;
  const taking: RegExp[] = [];
  const kindOf = (froms: readonly string[]): 'fixed' | 'dynamic' => {
    const isTaken = froms.some((from) => taking.some((pattern) => pattern.test(from)));
    return max !== undefined && isFixed(froms) && !isTaken ? 'fixed' : 'dynamic';
  };
  for (const redirect of redirects) {
    const { froms, to } = plainOf(redirect) ?? { froms: [], to: '' };
    const target = `${to.startsWith('/') ? basePath : ''}${to}`;
    const own = froms.map((from) => `${basePath}${from} ${target} ${redirect.status}${mark}`);
    const written = lines[kindOf(froms)];
    const isRead =
      own.every(({ length }) => length <= lineCharacters) &&
      froms.every((from) => !isRefused(from, target));
    if (own.length === 0 || !isRead || written.length + own.length > room[kindOf(froms)]) {
      left.push(redirect);
      continue;
    }
    written.push(...own);
    if (!isFixed(froms)) taking.push(compilePath(redirect.source));
  }
  return { lines: [...lines.fixed, ...lines.dynamic], left };
};

/** A host's `_redirects`, where it has nothing else in it. */
export const redirectsFiles = (site: RedirectSite, host: string, rules: PlainRedirects) => {
  const lines = planPlainRedirects(site, rules).lines.map((line) => `${line}\n`);
  const text = `# Written by "prepress hosts write ${host}".\n${lines.join('')}`;
  return lines.length === 0 ? [] : [{ path: '_redirects', text, isInOutput: true }];
};
