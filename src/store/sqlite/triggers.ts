// The triggers that notice any writer: they copy each row change into `changes` with the row as it was
// before, and keep two rules of published posts. Made from one table of what is logged, and named with
// one prefix, so that a dropped or altered trigger is found by comparing texts; then they are installed
// again under a new epoch, because changes may have gone unlogged.
import { createHash, randomBytes } from 'node:crypto';
import type { SqliteConnection } from './driver.ts';

type LoggedTable = {
  readonly table: string;
  /** Columns that hold the id of the record a row belongs to, and of the other record it links. */
  readonly record: string;
  readonly other?: string;
  /** Columns that no event shows. */
  readonly omit?: readonly string[];
  /** Long texts, logged only when they change (`true` stands for "as it is now"). */
  readonly long?: readonly string[];
  /** Sets of columns that are unique together: REPLACE removes other rows through them, unnoticed. */
  readonly unique: readonly (readonly string[])[];
};

const LOGGED: readonly LoggedTable[] = [
  {
    table: 'posts',
    record: 'id',
    other: 'type',
    omit: ['mobiledoc', 'lexical'],
    long: ['html', 'plaintext', 'codeinjection_head', 'codeinjection_foot'],
    unique: [['id'], ['slug', 'type']],
  },
  { table: 'posts_meta', record: 'post_id', unique: [['id'], ['post_id']] },
  { table: 'posts_tags', record: 'post_id', other: 'tag_id', unique: [['id']] },
  { table: 'posts_authors', record: 'post_id', other: 'author_id', unique: [['id']] },
  { table: 'posts_tiers', record: 'post_id', other: 'tier_id', unique: [['id']] },
  { table: 'tags', record: 'id', unique: [['id'], ['slug']] },
  { table: 'users', record: 'id', unique: [['id'], ['slug'], ['email']] },
  { table: 'settings', record: 'key', unique: [['id'], ['key']] },
  { table: 'members', record: 'id', unique: [['id'], ['uuid'], ['email']] },
  { table: 'members_labels', record: 'member_id', other: 'label_id', unique: [['id']] },
  { table: 'members_newsletters', record: 'member_id', other: 'newsletter_id', unique: [['id']] },
  { table: 'members_tiers', record: 'member_id', other: 'tier_id', unique: [['id']] },
];

const PREFIX = 'prepress_';

type Trigger = { readonly name: string; readonly sql: string };

/**
 * Gives a function that makes sure that all triggers stand as they should; it returns true when they had
 * to be installed. What they should be like is worked out once for each state of the schema.
 */
export const createTriggerKeeper = (connection: SqliteConnection): (() => boolean) => {
  let expected = { schemaVersion: -1, fingerprint: '' };
  const expectedFingerprint = (): string => {
    const schemaVersion = connection.pragma('schema_version', { simple: true }) as number;
    if (expected.schemaVersion !== schemaVersion) {
      expected = { schemaVersion, fingerprint: fingerprint(makeTriggers(connection)) };
    }
    return expected.fingerprint;
  };
  return () => {
    if (hasTriggers(connection, expectedFingerprint())) return false;
    installTriggers(connection);
    return true;
  };
};

const installTriggers = (connection: SqliteConnection): void => {
  connection.exec('BEGIN IMMEDIATE');
  try {
    for (const { name } of readTriggers(connection)) connection.exec(`DROP TRIGGER "${name}"`);
    const triggers = makeTriggers(connection);
    for (const { sql } of triggers) connection.exec(sql);
    connection
      .prepare(
        `INSERT INTO log_state (id, epoch, triggers_sha256) VALUES (1, ?, ?)
         ON CONFLICT (id) DO UPDATE SET epoch = excluded.epoch, triggers_sha256 = excluded.triggers_sha256`,
      )
      .run(randomBytes(8).toString('hex'), fingerprint(readTriggers(connection)));
    connection.exec('COMMIT');
  } catch (error) {
    if (connection.inTransaction) connection.exec('ROLLBACK');
    throw error;
  }
};

/** True when the triggers in the database are the ones that were installed, and this program's. */
const hasTriggers = (connection: SqliteConnection, expected: string): boolean => {
  const state = connection.prepare('SELECT triggers_sha256 FROM log_state WHERE id = 1').get() as
    | { triggers_sha256: string }
    | undefined;
  return state?.triggers_sha256 === expected && fingerprint(readTriggers(connection)) === expected;
};

const fingerprint = (triggers: readonly Trigger[]): string => {
  const hash = createHash('sha256');
  for (const { name, sql } of [...triggers].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    hash.update(`${name}\n${sql}\n`);
  }
  return hash.digest('hex');
};

const readTriggers = (connection: SqliteConnection): Trigger[] =>
  connection
    .prepare(`SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name GLOB ?`)
    .all(`${PREFIX}*`) as Trigger[];

/** SQLite runs the newest trigger first: the rules stand first, so that a change is logged before the
 * change that a rule adds to it, and the log can be read backwards. */
const makeTriggers = (connection: SqliteConnection): Trigger[] => [
  ...RULES,
  ...LOGGED.flatMap((logged) => makeLogTriggers(logged, columnsOf(connection, logged.table))),
];

const columnsOf = (connection: SqliteConnection, table: string): string[] =>
  (connection.prepare(`PRAGMA table_info("${table}")`).all() as { name: string }[]).map(
    (column) => column.name,
  );

const makeLogTriggers = (logged: LoggedTable, columns: readonly string[]): Trigger[] => {
  const { table } = logged;
  const old = (op: 'u' | 'd' | 'r', row: string): string =>
    `json_object(${columns
      .filter((column) => !logged.omit?.includes(column))
      .map((column) => `'${column}', ${oldValue(logged, column, { op, row })}`)
      .join(', ')})`;
  const values = (op: string, row: string, before: string): string =>
    [
      `'${table}'`,
      `'${op}'`,
      `${row}."id"`,
      ...linked(logged, row),
      ...(op === 'u' ? linked(logged, 'OLD') : ['NULL', 'NULL']),
      before,
      '(SELECT action FROM action_scope)',
    ].join(', ');
  const into =
    'INSERT INTO changes (entity, op, row_id, record_id, other_id, old_record_id, old_other_id, old, action)';
  const trigger = (event: string, when: string, statement: string): Trigger => {
    const name = `${PREFIX}${table}_${event}`;
    return { name, sql: `CREATE TRIGGER ${name} ${when} ON "${table}" BEGIN ${statement}; END` };
  };
  const replaced = (condition: string): string =>
    `${into} SELECT ${values('r', 'r', old('r', 'r'))} FROM "${table}" AS r WHERE ${condition}`;
  const conflicts = logged.unique
    .map((set) => `(${set.map((column) => `r."${column}" = NEW."${column}"`).join(' AND ')})`)
    .join(' OR ');
  return [
    trigger('i', 'AFTER INSERT', `${into} VALUES (${values('i', 'NEW', 'NULL')})`),
    trigger('u', 'AFTER UPDATE', `${into} VALUES (${values('u', 'NEW', old('u', 'OLD'))})`),
    trigger('d', 'AFTER DELETE', `${into} VALUES (${values('d', 'OLD', old('d', 'OLD'))})`),
    trigger('ri', 'BEFORE INSERT', replaced(conflicts)),
    trigger('ru', 'BEFORE UPDATE', replaced(`r.rowid <> OLD.rowid AND (${conflicts})`)),
  ];
};

const linked = (logged: LoggedTable, row: string): string[] => [
  `${row}."${logged.record}"`,
  logged.other ? `${row}."${logged.other}"` : 'NULL',
];

const oldValue = (
  logged: LoggedTable,
  column: string,
  { op, row }: { readonly op: string; readonly row: string },
): string => {
  const value = `CASE typeof(${row}."${column}") WHEN 'blob' THEN CAST(${row}."${column}" AS TEXT) ELSE ${row}."${column}" END`;
  if (op !== 'u' || !logged.long?.includes(column)) return value;
  return `CASE WHEN OLD."${column}" IS NEW."${column}" THEN json('true') ELSE ${value} END`;
};

const STAMP = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')";
const PUBLISHED_WITHOUT_TIME = "NEW.status = 'published' AND NEW.published_at IS NULL";
const stampPublished = `UPDATE posts SET published_at = ${STAMP} WHERE id = NEW.id`;

/** A published post always has its time; plaintext never outlives the html it was made from. */
const RULES: readonly Trigger[] = [
  {
    name: `${PREFIX}stamp_i`,
    sql: `CREATE TRIGGER ${PREFIX}stamp_i AFTER INSERT ON posts WHEN ${PUBLISHED_WITHOUT_TIME} BEGIN ${stampPublished}; END`,
  },
  {
    name: `${PREFIX}stamp_u`,
    sql: `CREATE TRIGGER ${PREFIX}stamp_u AFTER UPDATE ON posts WHEN ${PUBLISHED_WITHOUT_TIME} BEGIN ${stampPublished}; END`,
  },
  {
    name: `${PREFIX}plaintext_u`,
    sql: `CREATE TRIGGER ${PREFIX}plaintext_u AFTER UPDATE OF html ON posts WHEN NEW.html IS NOT OLD.html AND NEW.plaintext IS OLD.plaintext AND NEW.plaintext IS NOT NULL BEGIN UPDATE posts SET plaintext = NULL WHERE id = NEW.id; END`,
  },
];
