// Links of posts that old versions and converters have in the rows of posts: `author_id`, and lists of tags and authors. As
// in Ghost, they count where the file has no other links of the post. Tags may be named without an id, too.
import type { RawRow } from '../source.ts';

type Link = { readonly post: unknown; readonly other: unknown };
type Named = { readonly id?: unknown; readonly slug?: unknown; readonly name?: unknown };
type TagLink = Link & { readonly tag: Named };

export type PostLinks = {
  /** A row of the file under present names and ids; `idOf`: what an id of the file is here. */
  readonly take: (table: string, row: RawRow, idOf: (own: unknown) => unknown) => void;
  /** After all rows: those that tables of links lack. */
  readonly finish: () => readonly (readonly [table: string, rows: readonly RawRow[]])[];
};

export const createPostLinks = (): PostLinks => {
  const users = new Set<unknown>();
  const linked = { posts_tags: [] as Link[], posts_authors: [] as Link[] };
  const nested = { posts_tags: [] as TagLink[], posts_authors: [] as Link[] };
  const single: Link[] = [];
  /** Ids of tags by their slugs and names. */
  const tags = new Map<unknown, unknown>();
  /** An author who is not in the file is none, unless it has no users at all. */
  const isKnown = ({ other }: Link): boolean => users.has(other) || users.size === 0;
  const found = ({ post, other, tag }: TagLink): Link[] => {
    const id = hasId(tag.id) ? other : (tags.get(folded(tag.slug)) ?? tags.get(folded(tag.name)));
    return id === undefined ? [] : [{ post, other: id }];
  };
  const takePost = (row: RawRow, idOf: (own: unknown) => unknown): void => {
    if (hasId(row.author_id)) single.push({ post: row.id, other: row.author_id });
    for (const tag of namedIn(row.tags))
      nested.posts_tags.push({ post: row.id, other: idOf(tag.id), tag });
    for (const { id } of namedIn(row.authors))
      if (hasId(id)) nested.posts_authors.push({ post: row.id, other: idOf(id) });
  };
  return {
    take: (table, row, idOf) => {
      if (table === 'users') users.add(row.id);
      if (table === 'tags') for (const text of [row.name, row.slug]) tags.set(folded(text), row.id);
      if (table === 'posts_tags') linked[table].push({ post: row.post_id, other: row.tag_id });
      if (table === 'posts_authors')
        linked[table].push({ post: row.post_id, other: row.author_id });
      if (table === 'posts') takePost(row, idOf);
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
        [
          'posts_tags',
          rowsOf(lacking(nested.posts_tags.flatMap(found), linked.posts_tags), 'tag_id'),
        ],
      ];
    },
  };
};

const folded = (text: unknown): unknown =>
  typeof text === 'string' ? text.trim().toLowerCase() : undefined;

const hasId = (id: unknown): boolean => id != null && id !== '';

/** Objects, and names alone. */
const namedIn = (list: unknown): Named[] =>
  (Array.isArray(list) ? list : []).map((one: unknown) =>
    typeof one === 'string' ? { name: one } : (Object(one) as Named),
  );

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
