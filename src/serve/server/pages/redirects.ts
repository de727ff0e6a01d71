// Answers paths that the publication redirects, as hosts do by their rules.
import { compilePath } from '../../../base/text/path-pattern.ts';
import {
  findRedirects,
  isKeptPath,
  parseRedirects,
} from '../../../publication/store/content/redirects.ts';
import type { Store } from '../../../publication/store/store.ts';

/** Longer paths are redirected nowhere. */
const PATH_CHARACTERS_MAX = 2_000;

export type Redirection = { readonly status: 301 | 302; readonly location: string };

/** Finds where a path as it was sent, without the base path, and its query lead; null: nowhere. */
export const createRedirects = (store: Store, basePath: string) => {
  let kept = '';
  let rules: readonly (ReturnType<typeof parseRedirects>[number] & { pattern: RegExp })[] = [];
  return async (path: string, query: string): Promise<Redirection | null> => {
    const text = (await findRedirects(store)) ?? '';
    if (text !== kept) {
      rules = parseRedirects(text || null, basePath).map((redirect) => ({
        ...redirect,
        pattern: compilePath(redirect.source),
      }));
      kept = text;
    }
    if (path.length > PATH_CHARACTERS_MAX || isKeptPath(path)) return null;
    for (const { pattern, status, target } of rules) {
      const groups = pattern.exec(path);
      if (groups === null) continue;
      const fill = (part: string): string =>
        part.replace(/\$([1-9])/g, (_, digit: string) => groups[Number(digit)] ?? '');
      const base = target.path.startsWith('/') ? basePath : '';
      const own = fill(target.query);
      const sent = query === '' ? '' : `${own === '' ? '?' : '&'}${query}`;
      return { status, location: `${base}${fill(target.path)}${own}${sent}${fill(target.hash)}` };
    }
    return null;
  };
};
