// What a post's row is read with: the columns of posts and posts_meta that documents are made of, each as the
// table of columns says.
import { type ColumnUse, RECORD_COLUMNS } from '../../tables/record-columns.ts';

/** How a column is read from its place in a query. */
type Readers = Readonly<Record<NonNullable<ColumnUse['reads']>, (place: string) => string>>;

const plain = (place: string): string => place;

const READERS: Readonly<Record<'bytes' | 'text', Readers>> = {
  // A body is handed out as its bytes (publication/documents/html/byte-text.ts).
  bytes: {
    value: plain,
    bytes: (place) => `CAST(${place} AS BLOB)`,
  },
  // Of a database that keeps text in UTF-16.
  text: { value: plain, bytes: plain },
};

/** What stands after SELECT; `names` are those of the tables in the query. */
export const postColumns = (
  names: { readonly post: string; readonly meta: string },
  bodies: keyof typeof READERS,
): string => {
  const list = (table: 'posts' | 'posts_meta', name: string): string[] =>
    Object.entries<ColumnUse>(RECORD_COLUMNS[table]).flatMap(([column, { reads }]) =>
      reads === null ? [] : [`${READERS[bodies][reads](`${name}.${column}`)} AS ${column}`],
    );
  return [...list('posts', names.post), ...list('posts_meta', names.meta)].join(', ');
};
