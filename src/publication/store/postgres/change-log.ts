// The change log in PostgreSQL, as SQL. Statement triggers note each changed row; the seal numbers a transaction's changes as
// its last act, under a lock that PostgreSQL gives up after the commit can be seen: who sees a number sees all smaller ones.
// Whoever writes is noticed: triggers run for replicas, too, and with the rights of the tables' owner.
import { columnsWhere, findLogged, type LoggedName } from '../../tables/record-tables.ts';
import { listTables, quote, type TableShape } from './table-shapes.ts';

/** Our advisory locks: the second number says which. W: a save of ours; C: the seal; M: migrations. */
export const LOCKS = { seal: '7303014, 1', save: '7303014, 2', migrate: '7303014, 3' } as const;

/** Tables, functions and triggers; on a log that stands, the functions and triggers anew. */
export const makeChangeLog = (): string =>
  [TABLES, SEAL, ...listTables().map(makeTriggers), RULES].join('\n');

/** One text of all that was installed, so that what somebody dropped or altered is noticed. */
export const TRIGGERS_TEXT = `SELECT coalesce(string_agg(text, E'\\n' ORDER BY text), '') AS text FROM (
  SELECT pg_get_triggerdef(oid) || tgenabled::text AS text FROM pg_trigger
    WHERE tgname LIKE 'prepress\\_%' AND tgrelid IN (SELECT oid FROM pg_class WHERE relnamespace = current_schema()::regnamespace)
  UNION ALL SELECT proname || prosrc FROM pg_proc
    WHERE proname LIKE 'prepress\\_%' AND pronamespace = current_schema()::regnamespace) AS installed`;

/** The database's own name: a dump that was restored, or a copy, has another one, and so another log. */
export const HOME = `(SELECT system_identifier FROM pg_control_system()) || '/' ||
  (SELECT oid FROM pg_database WHERE datname = current_database())`;

const NEW_ID = "encode(uuid_send(gen_random_uuid()), 'hex')";

const TABLES = `
CREATE TABLE IF NOT EXISTS log_state (
  id bigint PRIMARY KEY CHECK (id = 1), epoch text NOT NULL, triggers_sha256 text NOT NULL, home text NOT NULL);
INSERT INTO log_state VALUES (1, ${NEW_ID}, '', ${HOME}) ON CONFLICT (id) DO NOTHING;
CREATE TABLE IF NOT EXISTS leader (id bigint PRIMARY KEY CHECK (id = 1), holder text NOT NULL, until timestamptz NOT NULL);
CREATE TABLE IF NOT EXISTS servers (id text PRIMARY KEY, name text NOT NULL, seq bigint NOT NULL, seen_at timestamptz NOT NULL);
ALTER TABLE servers ADD COLUMN IF NOT EXISTS clock_ms bigint NOT NULL DEFAULT 0, ADD COLUMN IF NOT EXISTS facts jsonb NOT NULL DEFAULT '{}';
INSERT INTO leader VALUES (1, '', '-infinity') ON CONFLICT (id) DO NOTHING;
CREATE SEQUENCE IF NOT EXISTS changes_n;
CREATE SEQUENCE IF NOT EXISTS changes_seq;
CREATE TABLE IF NOT EXISTS changes (
  tx uuid NOT NULL, n bigint NOT NULL DEFAULT nextval('changes_n'), entity text NOT NULL, op "char" NOT NULL,
  row_key jsonb NOT NULL, record_id text, other_id text, old_record_id text, old_other_id text, old jsonb, action text,
  head boolean NOT NULL, PRIMARY KEY (tx, n));
CREATE TABLE IF NOT EXISTS commits (
  last_seq bigint PRIMARY KEY, first_seq bigint NOT NULL, tx uuid NOT NULL UNIQUE,
  nonce bytea NOT NULL DEFAULT substr(uuid_send(gen_random_uuid()), 1, 8),
  at timestamptz NOT NULL DEFAULT clock_timestamp());`;

/**
 * A sequence, not max(): a writer that sees one state for all of its transaction does not see newer commits. After SET
 * CONSTRAINTS ... IMMEDIATE a transaction may go on: what follows is another group, under the same lock.
 */
const SEAL = `
CREATE OR REPLACE FUNCTION prepress_seal() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE first bigint; count bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(${LOCKS.seal});
  SELECT count(*) INTO count FROM changes WHERE tx = NEW.tx;
  first := nextval('changes_seq');
  PERFORM setval('changes_seq', first + count - 1);
  INSERT INTO commits (last_seq, first_seq, tx) VALUES (first + count - 1, first, NEW.tx);
  PERFORM set_config('prepress.tx', '', true);
  RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS prepress_seal ON changes;
CREATE CONSTRAINT TRIGGER prepress_seal AFTER INSERT ON changes DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.head) EXECUTE FUNCTION prepress_seal();
ALTER TABLE changes ENABLE ALWAYS TRIGGER prepress_seal;`;

type Row = 'o' | 'r';

const makeTriggers = (table: TableShape): string => {
  const { name, key } = table;
  const keyOf = (row: Row): string =>
    `jsonb_build_array(${key.map((column) => `${row}.${quote(column.name)}`).join(', ')})`;
  const isSame = key.map((c) => `o.${quote(c.name)} = r.${quote(c.name)}`).join(' AND ');
  const told = describeLogged(name);
  const change = (op: 'i' | 'u' | 'd', from: string): string => {
    const row = op === 'd' ? 'o' : 'r';
    const values = [`'${name}'`, `'${op}'`, keyOf(row), ...told[op]];
    return `${BEGIN_GROUP}
  INSERT INTO changes (tx, head, action, entity, op, row_key, record_id, other_id, old_record_id, old_other_id, old)
    SELECT tx_id, is_first AND row_number() OVER () = 1, action_id, ${values.join(', ')} FROM ${from};
  IF is_first AND NOT FOUND THEN PERFORM set_config('prepress.tx', '', true); END IF;`;
  };
  const without = (rows: string, others: string, as: Row): string =>
    `${rows} ${as} WHERE NOT EXISTS (SELECT FROM ${others} ${as === 'o' ? 'r' : 'o'} WHERE ${isSame})`;
  const steps = {
    i: [change('i', 'new_rows r')],
    // A changed key is another row.
    u: [
      change('u', `old_rows o JOIN new_rows r ON ${isSame} WHERE o IS DISTINCT FROM r`),
      change('d', without('old_rows', 'new_rows', 'o')),
      change('i', without('new_rows', 'old_rows', 'r')),
    ],
    d: [change('d', 'old_rows o')],
    t: [change('d', `${quote(name)} o`)],
  };
  return Object.entries(EVENTS)
    .map(([event, when]) => {
      const trigger = `prepress_${name}_${event}`;
      return `CREATE OR REPLACE FUNCTION ${trigger}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE tx_id uuid; is_first boolean; action_id text := nullif(current_setting('prepress.action', true), '');
BEGIN
  ${steps[event as keyof typeof steps].join('\n  ')}
  RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS ${trigger} ON ${quote(name)};
CREATE TRIGGER ${trigger} ${when.replace('TABLE_NAME', quote(name))} FOR EACH STATEMENT EXECUTE FUNCTION ${trigger}();
ALTER TABLE ${quote(name)} ENABLE ALWAYS TRIGGER ${trigger};`;
    })
    .join('\n');
};

/** Set before the rows are put in: a seal that runs at once clears it. A rolled back savepoint takes it back with them. */
const BEGIN_GROUP = `tx_id := nullif(current_setting('prepress.tx', true), '')::uuid; is_first := tx_id IS NULL;
  IF is_first THEN tx_id := gen_random_uuid(); PERFORM set_config('prepress.tx', tx_id::text, true); END IF;`;

const EVENTS = {
  i: 'AFTER INSERT ON TABLE_NAME REFERENCING NEW TABLE AS new_rows',
  u: 'AFTER UPDATE ON TABLE_NAME REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows',
  d: 'AFTER DELETE ON TABLE_NAME REFERENCING OLD TABLE AS old_rows',
  t: 'BEFORE TRUNCATE ON TABLE_NAME',
} as const;

type Told = Readonly<Record<'i' | 'u' | 'd', readonly string[]>>;

/** What a change says of its records, in the order of the columns; of a table that nothing is made of, nothing. */
const describeLogged = (table: string): Told => {
  const facts = findLogged(table);
  if (facts === undefined) {
    const nothing = Array<string>(5).fill('NULL');
    return { i: nothing, u: nothing, d: nothing };
  }
  const name = table as LoggedName;
  const never = columnsWhere(name, ({ logs }) => logs === null);
  const long = columnsWhere(name, ({ logs }) => logs === 'changes');
  const rowOf = (row: Row): string => `(to_jsonb(${row}) - '{${never.join()}}'::text[])`;
  const unchanged = long.map(
    (column) =>
      ` || CASE WHEN o.${quote(column)} IS NOT DISTINCT FROM r.${quote(column)} THEN '{"${column}": true}'::jsonb ELSE '{}' END`,
  );
  const { record, other } = facts;
  const linked = (row: Row): string[] => [
    `${row}.${quote(record)}`,
    other === undefined ? 'NULL' : `${row}.${quote(other)}`,
  ];
  const [first = '', second = ''] = linked('r');
  // A change that no document and no event shows is one of the row alone.
  const isTold =
    never.length === 0 ? first : `CASE WHEN ${rowOf('o')} <> ${rowOf('r')} THEN ${first} END`;
  return {
    i: [...linked('r'), 'NULL', 'NULL', 'NULL::jsonb'],
    u: [isTold, second, ...linked('o'), `${rowOf('o')}${unchanged.join('')}`],
    d: [...linked('o'), 'NULL', 'NULL', rowOf('o')],
  };
};

/** As on SQLite a published post has its time, and plaintext does not outlive its html; here before the row is written. */
const RULES = `
CREATE OR REPLACE FUNCTION prepress_rules() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status = 'published' AND NEW.published_at IS NULL THEN
    NEW.published_at := to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
  END IF;
  IF TG_OP = 'UPDATE' AND current_setting('prepress.has_rules', true) IS DISTINCT FROM 'yes'
    AND NEW.html IS DISTINCT FROM OLD.html AND NEW.plaintext IS NOT DISTINCT FROM OLD.plaintext THEN
    NEW.plaintext := NULL;
  END IF;
  RETURN NEW;
END $$;
DROP TRIGGER IF EXISTS prepress_rules ON posts;
CREATE TRIGGER prepress_rules BEFORE INSERT OR UPDATE ON posts FOR EACH ROW EXECUTE FUNCTION prepress_rules();
ALTER TABLE posts ENABLE ALWAYS TRIGGER prepress_rules;`;
