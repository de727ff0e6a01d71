// A publication in which each column of each table that makes up documents has a row of its own, so that all of
// them can take one odd value at the same time: none hides another. Values are set by plain SQL.

import type { SqliteConnection } from '../../src/base/sqlite/driver.ts';
import { RECORD_COLUMNS } from '../../src/publication/tables/record-columns.ts';
import { insertRow } from './publication.ts';

const text = (hex: string): string => `CAST(x'${hex}' AS TEXT)`;
const repeated = (part: string, count: number): string =>
  `replace(hex(zeroblob(${count})), '00', '${part}')`;
const MEGABYTE = 1_048_576;

/** SQL of values that no editor writes, by name; `old` names the column. */
export const ODD_VALUES = {
  integer: () => '7',
  real: () => '-1.5',
  infinity: () => '9e999',
  'large integer': () => '9223372036854775807',
  null: () => 'NULL',
  'empty text': () => "''",
  'no bytes': () => "x''",
  'a zero byte': () => "x'00'",
  'bytes of a digit': () => "x'31'",
  'bytes that are no UTF-8': () => "x'00ff'",
  'text with NUL': () => text('610062'),
  'text that is no UTF-8': () => text('61ff62'),
  'half of a surrogate pair': () => text('eda080'),
  'a word': () => "'nonsense'",
  'bytes of a time': () => "CAST('2025-05-05' AS BLOB)",
  'its own bytes': (old) => `CAST(${old} AS BLOB)`,
  'long text': () => repeated('xx', MEGABYTE),
  'many bytes': () => `CAST(${repeated('yy', MEGABYTE)} AS BLOB)`,
  'deep JSON': () => repeated('[', 100_000),
  'deep markup': () => repeated('<div>', 2_000),
  'bytes of deep markup': () => `CAST(${repeated('<b>', 2_000)} AS BLOB)`,
} as const satisfies Readonly<Record<string, (old: string) => string>>;

export type OddValue = keyof typeof ODD_VALUES;

/** Those that tell most, for tests that run often. */
export const FEW_ODD_VALUES: readonly OddValue[] = [
  'infinity',
  'null',
  'no bytes',
  'a zero byte',
  'bytes that are no UTF-8',
  'its own bytes',
  'deep markup',
];

export const ODD_TABLES = [
  'posts',
  'posts_meta',
  'posts_tags',
  'posts_authors',
  'tags',
  'users',
  'settings',
] as const;
type Table = (typeof ODD_TABLES)[number];

type Row = Readonly<Record<string, unknown>>;

/** A column, and the row of its own with all it held at first. */
export type OddCell = {
  readonly table: Table;
  readonly column: string;
  readonly rowid: number;
  readonly row: Row;
};

const SETTING_KEYS = [
  ['title', 'Title'],
  ['description', 'Description'],
  ['navigation', '[{"label":"Home","url":"/"}]'],
  ['logo', '__GHOST_URL__/content/images/logo.png'],
  ['icon', '__GHOST_URL__/content/images/icon.png'],
  ['members_support_address', 'noreply'],
  ['outbound_link_tagging', 'true'],
] as const;

const TIME = '2026-01-01T10:00:00.000Z';

/** Fills the tables, and leaves foreign keys of the connection off. */
export const fillForOddColumns = (shell: SqliteConnection): OddCell[] => {
  shell.pragma('foreign_keys = OFF');
  const records = new Map<string, Record<string, string>>();
  const idOf = (table: Table, at: number): string => {
    if (table === 'settings') return insertSetting(shell, at);
    const name = `${SHARING[table]} ${at}`;
    const record = records.get(name) ?? insertRecord(shell, at);
    records.set(name, record);
    return record[table] as string;
  };
  return shell.transaction(() =>
    ODD_TABLES.flatMap((table) =>
      Object.keys(RECORD_COLUMNS[table]).map((column, at): OddCell => {
        const select = `SELECT rowid AS prepress_place, * FROM "${table}" WHERE id = ?`;
        const { prepress_place, ...row } = shell.prepare(select).get(idOf(table, at)) as Row & {
          prepress_place: number;
        };
        return { table, column, rowid: prepress_place, row };
      }),
    ),
  )();
};

/** Odd rows of tables that are named alike stand in one record: none keeps another from being read. */
const SHARING = {
  posts: 'post',
  posts_meta: 'related',
  tags: 'related',
  users: 'related',
  posts_tags: 'links',
  posts_authors: 'links',
} as const;

const insertSetting = (shell: SqliteConnection, at: number): string => {
  const [key, value] = SETTING_KEYS[at] ?? [`key-${at}`, ''];
  return insertRow(shell, 'settings', { key, value });
};

/** A post or page with its meta row, a tag and an author; the ids of the rows. */
const insertRecord = (shell: SqliteConnection, at: number): Record<string, string> => {
  const post_id = insertRow(shell, 'posts', {
    status: 'published',
    type: at % 5 === 4 ? 'page' : 'post',
    html: `<p>Body ${at}</p>`,
    plaintext: `Body ${at}`,
    updated_at: TIME,
    published_at: TIME,
  });
  const tags = insertRow(shell, 'tags', {});
  const users = insertRow(shell, 'users', {});
  return {
    posts: post_id,
    tags,
    users,
    posts_meta: insertRow(shell, 'posts_meta', { post_id, og_title: `Og ${at}` }),
    posts_tags: insertRow(shell, 'posts_tags', { post_id, tag_id: tags }),
    posts_authors: insertRow(shell, 'posts_authors', { post_id, author_id: users }),
  };
};

/** What a constraint of the schema refuses stays as it is. */
export const setOdd = (
  shell: SqliteConnection,
  cells: readonly OddCell[],
  sqlOf: (old: string) => string,
): void => {
  for (const { table, column, rowid } of cells) {
    const value = sqlOf(`"${column}"`);
    const update = shell.prepare(`UPDATE "${table}" SET "${column}" = ${value} WHERE rowid = ?`);
    try {
      update.run(rowid);
    } catch (error) {
      if (!isRefused(error)) throw error;
    }
  }
};

/** OR IGNORE would hold for triggers, too: a change that the log refuses would stand without being logged. */
const isRefused = (error: unknown): boolean =>
  String((error as { code?: unknown }).code).startsWith('SQLITE_CONSTRAINT');

/** Puts whole rows back: rules of the database may have changed further columns. */
export const mendOdd = (shell: SqliteConnection, cells: readonly OddCell[]): void => {
  for (const { table, rowid, row } of cells) {
    const columns = Object.keys(row).map((column) => `"${column}" = ?`);
    shell
      .prepare(`UPDATE "${table}" SET ${columns.join(', ')} WHERE rowid = ?`)
      .run(...Object.values(row), rowid);
  }
};
