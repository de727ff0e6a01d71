// How posts are linked to tags and authors, as the tables have it.
import { RECORD_TABLES } from '../../tables/record-tables.ts';

export type Link = {
  readonly table: 'tags' | 'users';
  readonly pivot: string;
  readonly column: string;
};

const linkBy = (pivot: 'posts_tags' | 'posts_authors'): Link => {
  const { target, other } = RECORD_TABLES[pivot];
  return { table: target, pivot, column: other };
};

export const LINKS: Readonly<Record<'tags' | 'authors', Link>> = {
  tags: linkBy('posts_tags'),
  authors: linkBy('posts_authors'),
};
