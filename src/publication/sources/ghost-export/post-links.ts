// Links of posts that old versions and converters have in the rows of posts: `author_id`, and lists of tags and authors. As
// in Ghost, they count where the file has no other links of the post.
import type { RawRow } from '../source.ts';

type Link = { readonly post: unknown; readonly other: unknown };

export type PostLinks = {
  /** A row of the file under present names and ids; `idOf`: what an id of the file is here. */
  readonly take: (table: string, row: RawRow, idOf: (own: unknown) => unknown) => void;
  /** After all rows: those that tables of links lack. */
  readonly finish: () => readonly (readonly [table: string, rows: readonly RawRow[]])[];
};

export const createPostLinks = (): PostLinks => {
  const users = new Set<unknown>();
  const linked = { posts_tags: [] as Link[], posts_authors: [] as Link[] };
  const nested = { posts_tags: [] as Link[], posts_authors: [] as Link[] };
  const single: Link[] = [];
  /** An author who is not in the file is none, unless it has no users at all. */
  const isKnown = ({ other }: Link): boolean => users.has(other) || users.size === 0;
  return {
    take: (table, row, idOf) => {
      if (table === 'users') users.add(row.id);
      if (table === 'posts_tags') linked[table].push({ post: row.post_id, other: row.tag_id });
      if (table === 'posts_authors')
        linked[table].push({ post: row.post_id, other: row.author_id });
      if (table !== 'posts') return;
      if (row.author_id != null && row.author_id !== '')
        single.push({ post: row.id, other: row.author_id });
      for (const id of idsIn(row.tags)) nested.posts_tags.push({ post: row.id, other: idOf(id) });
      for (const id of idsIn(row.authors))
        nested.posts_authors.push({ post: row.id, other: idOf(id) });
    },
    finish: () => {
      const several = lacking(
        nested.posts_authors.filter(isKnown),
        linked.posts_authors.filter(isKnown),
      );
      const ofRows = lacking(single.filter(isKnown), [
        ...linked.posts_authors.filter(isKnown),
        ...several,
      ]);
      return [
        ['posts_authors', rowsOf([...several, ...ofRows], 'author_id')],
        ['posts_tags', rowsOf(lacking(nested.posts_tags, linked.posts_tags), 'tag_id')],
      ];
    },
  };
};

const idsIn = (list: unknown): unknown[] =>
  (Array.isArray(list) ? list : []).flatMap((one: unknown) => {
    const { id } = Object(one) as { readonly id?: unknown };
    return id == null || id === '' ? [] : [id];
  });

/** Those of posts without others. */
const lacking = (links: readonly Link[], others: readonly Link[]): Link[] => {
  const posts = new Set(others.map(({ post }) => post));
  return links.filter(({ post }) => !posts.has(post));
};

const rowsOf = (links: readonly Link[], key: string): RawRow[] => {
  const places = new Map<unknown, number>();
  return links.map(({ post, other }) => {
    const sort_order = places.get(post) ?? 0;
    places.set(post, sort_order + 1);
    return { post_id: post, [key]: other, sort_order };
  });
};
