// Redirects for hosts whose `_redirects` knows whole segments of a path and its rest, but no regular expressions.
import type { Redirect } from '../../../publication/store/content/redirects.ts';
import type { HostSite } from '../host.ts';

type RedirectSite = Pick<HostSite, 'redirects' | 'basePath'>;

const PIECE = /(?<=\/)\((?:\[\^\/\?\\x20\]\+\)(?=\/|$)|\[\^\?\\x20\]\*\)$)/g;

/** Null where it cannot be written: also what could take an address of the interface, or lead to another site. */
const plainOf = ({ source, target }: Redirect): { from: string; to: string } | null => {
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
  if (!isPlain || /^\/(?:content|ghost)(?:\/|$)/.test(from)) return null;
  const to = `${target.path}${target.query}${target.hash}`;
  const filled = to.replace(/\$([1-9])/g, (_, digit: string) => names[Number(digit) - 1] ?? '');
  return filled.startsWith('/:splat') ? null : { from, to: filled };
};

/** Lines for each spelling of a path's end; `mark` is what statuses end with. */
export const plainRedirects = ({ redirects, basePath }: RedirectSite, mark = ''): string[] =>
  redirects.flatMap((redirect) => {
    const plain = plainOf(redirect);
    if (plain === null) return [];
    const to = `${plain.to.startsWith('/') ? basePath : ''}${plain.to}`;
    const ends = /[*/]$/.test(plain.from) ? [''] : ['', '/'];
    return ends.map((end) => `${basePath}${plain.from}${end} ${to} ${redirect.status}${mark}`);
  });

/** A host's `_redirects`, where it has nothing else in it. */
export const redirectsFiles = (site: RedirectSite, host: string) => {
  const lines = plainRedirects(site).map((line) => `${line}\n`);
  const text = `# Written by "prepress hosts write ${host}".\n${lines.join('')}`;
  return lines.length === 0 ? [] : [{ path: '_redirects', text, isInOutput: true }];
};

export const unwritable = (redirects: readonly Redirect[]): string[] =>
  redirects.filter((redirect) => plainOf(redirect) === null).map(({ from }) => from);
