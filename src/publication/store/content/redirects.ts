// Redirects of the publication, kept in one setting, in the order in which they are tried. What is kept was read whole: patterns that
// cannot be matched safely, and targets that could lead elsewhere, are refused before.
import * as z from 'zod';
import { REDIRECT_RULE_CHARACTERS_MAX } from '../../../base/limits.ts';
import { parseStored } from '../../../base/stored-json.ts';
import { type PathGroup, PatternError, readPathPattern } from '../../../base/text/path-pattern.ts';
import type { Queryable, Transaction } from '../db.ts';
import { findSetting, saveSetting } from './settings.ts';

const REDIRECTS_SETTING = 'prepress_redirects';

/** Folders whose addresses are never redirected. */
export const KEPT_FOLDERS: readonly string[] = ['content', 'ghost'];

/** Whether a raw path, below the base path, is never redirected: it lies there, or could name another site. */
export const isKeptPath = (path: string): boolean =>
  KEPT_FOLDERS.includes(path.split('/', 2)[1] ?? '') || /\/\/|\\/.test(path);

/** As Ghost writes it. */
const lineSchema = z.object({ from: z.string(), to: z.string(), permanent: z.boolean() });

export type RedirectLine = Readonly<z.infer<typeof lineSchema>>;

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

/** Of a site below a base path, a target is kept without it: as in Ghost, it may have it or not. Throws DATABASE_ALTERED. */
export const parseRedirects = (text: string | null, basePath: string): Redirect[] =>
  parseStored(REDIRECTS, text ?? '[]', 'The list of redirects').map((redirect) => {
    const { target } = redirect;
    if (basePath === '' || !`${target.path}/`.startsWith(`${basePath}/`)) return redirect;
    return { ...redirect, target: { ...target, path: target.path.slice(basePath.length) || '/' } };
  });

/** Throws PatternError. */
export const readRedirect = (line: RedirectLine): Redirect => {
  const pattern = readPathPattern(line.from);
  const target = targetOf(line.to, pattern.groups);
  return { ...line, source: pattern.source, status: line.permanent ? 301 : 302, target };
};

/** Lines that an earlier version took and this one refuses are left out. */
const readStored = (line: RedirectLine): Redirect[] => {
  try {
    return [readRedirect(line)];
  } catch (error) {
    if (error instanceof PatternError) return [];
    throw error;
  }
};

const REDIRECTS = z.array(lineSchema).transform((lines) => lines.flatMap(readStored));

const targetOf = (to: string, groups: readonly PathGroup[]): Redirect['target'] => {
  const address = to.replace(/\$(?![1-9])|[^!#$%&'()*+,./0-9:;=?@A-Z_a-z~-]/gu, encodeURIComponent);
  if (address.length > REDIRECT_RULE_CHARACTERS_MAX)
    throw new PatternError(
      `leads to an address of more than ${REDIRECT_RULE_CHARACTERS_MAX} characters`,
    );
  const parts = /^((?:https?:\/\/[^/?#$@]+(?=[/?#]|$))?[^?#]*)(\?[^#]*)?(#.*)?$/.exec(address);
  const [, path = '', query = '', hash = ''] = parts ?? [];
  if (!/^\/(?!\/)|^https?:\/\/[^/?#$@]+(?:\/|$)/.test(path))
    throw new PatternError('leads to no path of the site and no http or https address');
  for (const [, digit] of address.matchAll(/\$([1-9])/g)) {
    if (groups[Number(digit) - 1] === undefined)
      throw new PatternError(`names the group $${digit}, which its pattern does not have`);
  }
  throwIfLeadsAway(path.slice(1), groups);
  return { path, query, hash };
};

const WHOLE_ADDRESS = ': write the whole address, such as https://example.com/$1';

/** A second slash at the beginning would make another site of the rest. Throws PatternError. */
const throwIfLeadsAway = (rest: string, groups: readonly PathGroup[]): void => {
  const [first = '', digit] = /^\$([1-9])/.exec(rest) ?? [];
  if (digit === undefined) return;
  const { mayBeginWithSlash = true, mayBeEmpty = true } = groups[Number(digit) - 1] ?? {};
  if (mayBeginWithSlash)
    throw new PatternError(
      `has a target that begins with $${digit}, which may begin with a slash${WHOLE_ADDRESS}`,
    );
  if (!mayBeEmpty) return;
  const after = rest.slice(first.length);
  if (after.startsWith('/'))
    throw new PatternError(
      `has a target with a slash after $${digit}, which may be empty${WHOLE_ADDRESS}`,
    );
  throwIfLeadsAway(after, groups);
};
