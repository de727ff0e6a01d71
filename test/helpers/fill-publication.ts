// Puts a publication of so many posts into a database, through plain SQL.
import type { SqliteConnection } from '../../src/base/sqlite/driver.ts';
import { insertRow } from './rows.ts';

export type Filling = {
  /** Published ones, named `post-0` and so on. */
  readonly posts?: number;
  /** Named `draft-0` and so on. */
  readonly drafts?: number;
  /** Instead of `post`. */
  readonly label?: string;
  /** Posts have one of two tags and of two authors each, and the second one is a page. */
  readonly isLinked?: boolean;
  /** Further columns of each, by its number. */
  readonly columns?: (at: number) => Readonly<Record<string, unknown>>;
};

/** A minute apart, the first one the oldest. */
const START = Date.parse('2025-01-01T00:00:00.000Z');

/** The ids of the published ones, then those of the drafts. */
export const fillPublication = (shell: SqliteConnection, filling: Filling): string[] => {
  const { posts = 0, drafts = 0, label = 'post', isLinked = false, columns } = filling;
  const two = (table: string, name: string, row: object): string[] =>
    isLinked ? [0, 1].map((at) => insertRow(shell, table, { slug: `${name}-${at}`, ...row })) : [];
  const insertAll = (): string[] => {
    const tags = two('tags', 'tag', { description: 'About' });
    const authors = two('users', 'author', {});
    return Array.from({ length: posts + drafts }, (_, at) => {
      const post_id = insertRow(shell, 'posts', {
        slug: at < posts ? `${label}-${at}` : `draft-${at - posts}`,
        title: at < posts ? `${label} ${at}` : `draft ${at - posts}`,
        type: isLinked && at === 1 ? 'page' : 'post',
        status: at < posts ? 'published' : 'draft',
        published_at: new Date(START + at * 60_000).toISOString(),
        ...columns?.(at),
      });
      if (isLinked) {
        const links = { post_id, sort_order: 0 };
        insertRow(shell, 'posts_tags', { ...links, tag_id: tags[at % 2] });
        insertRow(shell, 'posts_authors', { ...links, author_id: authors[at % 2] });
      }
      return post_id;
    });
  };
  return shell.transaction(insertAll)();
};
