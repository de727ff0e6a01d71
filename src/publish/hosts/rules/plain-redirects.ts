// Redirects for hosts whose `_redirects` knows whole segments of a path and its rest, but no regular expressions.
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
  const taking: string[][] = [];
  for (const redirect of redirects) {
    const { froms, to } = plainOf(redirect) ?? { froms: [], to: '' };
    const target = `${to.startsWith('/') ? basePath : ''}${to}`;
    const own = froms.map((from) => `${basePath}${from} ${target} ${redirect.status}${mark}`);
    const isFixed = froms.every((from) => !/[:*]/.test(from));
    const isTaken = (): boolean => froms.some((from) => taking.some((line) => takes(line, from)));
    const kind = max !== undefined && isFixed && !isTaken() ? 'fixed' : 'dynamic';
    const fits =
      own.length <= room[kind] - lines[kind].length &&
      own.every(({ length }) => length <= lineCharacters) &&
      froms.every((from) => !isRefused(from, target));
    if (own.length === 0 || !fits) {
      left.push(redirect);
      continue;
    }
    lines[kind].push(...own);
    if (!isFixed) taking.push(...froms.map((from) => from.split('/')));
  }
  return { lines: [...lines.fixed, ...lines.dynamic], left };
};

/** Whether a line with names or a rest, given in pieces, may take the path. */
const takes = (pieces: readonly string[], path: string): boolean => {
  const parts = path.split('/');
  const hasRest = pieces.at(-1)?.endsWith('*') === true;
  const isLong = hasRest ? parts.length >= pieces.length : parts.length === pieces.length;
  return isLong && pieces.every((piece, at) => /[:*]/.test(piece) || piece === parts[at]);
};

/** A host's `_redirects`, where it has nothing else in it. */
export const redirectsFiles = (site: RedirectSite, host: string, rules: PlainRedirects) => {
  const lines = planPlainRedirects(site, rules).lines.map((line) => `${line}\n`);
  const text = `# Written by "prepress hosts write ${host}".\n${lines.join('')}`;
  return lines.length === 0 ? [] : [{ path: '_redirects', text, isInOutput: true }];
};
