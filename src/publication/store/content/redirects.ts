// Redirects of the publication, kept in one setting, in the order in which they are tried. What is kept was read whole: patterns that
// cannot be matched safely, and targets that could lead elsewhere, are refused before.
import {
  type PathPattern,
  PatternError,
  readPathPattern,
} from '../../../base/text/path-pattern.ts';
import type { Queryable, Transaction } from '../db.ts';
import { findSetting, saveSetting } from './settings.ts';

const REDIRECTS_SETTING = 'prepress_redirects';

/** As Ghost writes it. */
export type RedirectLine = {
  readonly from: string;
  readonly to: string;
  readonly permanent: boolean;
};

export type Redirect = RedirectLine & {
  /** Regular expression of a whole path, below the base path, in the words of all hosts. */
  readonly source: string;
  readonly status: 301 | 302;
  /** An address with `$1` to `$9` for groups, in characters that addresses have; each part with its first sign. */
  readonly target: { readonly path: string; readonly query: string; readonly hash: string };
};

export const saveRedirects = (
  tx: Transaction,
  lines: readonly RedirectLine[],
  nowMs: number,
): Promise<void> =>
  saveSetting(
    tx,
    {
      key: REDIRECTS_SETTING,
      value: lines.length === 0 ? null : JSON.stringify(lines),
      type: 'array',
    },
    nowMs,
  );

/** The text that they are kept as; null where there are none. */
export const findRedirects = (from: Queryable): Promise<string | null> =>
  findSetting(from, REDIRECTS_SETTING);

export const parseRedirects = (text: string | null): Redirect[] =>
  (JSON.parse(text ?? '[]') as RedirectLine[]).map(readRedirect);

/** Throws PatternError. */
export const readRedirect = (line: RedirectLine): Redirect => {
  const pattern = readPathPattern(line.from);
  const target = targetOf(line.to, pattern);
  return { ...line, source: pattern.source, status: line.permanent ? 301 : 302, target };
};

const targetOf = (to: string, { slashedGroups }: PathPattern): Redirect['target'] => {
  const address = to.replace(/\$(?![1-9])|[^!#$%&'()*+,./0-9:;=?@A-Z_a-z~-]/gu, encodeURIComponent);
  const parts = /^((?:https?:\/\/[^/?#$@]+(?=[/?#]|$))?[^?#]*)(\?[^#]*)?(#.*)?$/.exec(address);
  const [, path = '', query = '', hash = ''] = parts ?? [];
  if (!/^\/(?!\/)|^https?:\/\/[^/?#$@]+(?:\/|$)/.test(path))
    throw new PatternError('leads to no path of the site and no http or https address');
  for (const [, digit] of address.matchAll(/\$([1-9])/g)) {
    if (slashedGroups[Number(digit) - 1] === undefined)
      throw new PatternError(`names the group $${digit}, which its pattern does not have`);
  }
  // A group that could begin with a slash would make another site of the rest.
  const [, first] = /^\/\$([1-9])/.exec(path) ?? [];
  if (first !== undefined && slashedGroups[Number(first) - 1] !== true)
    throw new PatternError(`begins with $${first}, which has no slash before it in its pattern`);
  return { path, query, hash };
};
