// What a post's row is read with: the columns of posts and posts_meta that documents are made of, each as the
// table of columns says.
import { type ColumnUse, RECORD_COLUMNS } from '../record-columns.ts';

/** Only the excerpt is made of it: 500 UTF-16 units, which are 1,500 bytes at most, or less before addresses are put in. */
const PLAINTEXT_BYTES = 2_048;

/** How a column is read from its place in a query. */
type Readers = Readonly<Record<NonNullable<ColumnUse['reads']>, (place: string) => string>>;

const plain = (place: string): string => place;

const READERS: Readonly<Record<'bytes' | 'text', Readers>> = {
  // A body is handed out as its bytes (documents/byte-text.ts).
  bytes: {
    value: plain,
    bytes: (place) => `CAST(${place} AS BLOB)`,
    opening: (place) => `iif(octet_length(${place}) > ${PLAINTEXT_BYTES},
      substr(CAST(${place} AS BLOB), 1, ${PLAINTEXT_BYTES}), ${place})`,
  },
  // Of a database that keeps text in UTF-16.
  text: { value: plain, bytes: plain, opening: plain },
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
