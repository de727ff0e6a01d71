// Brings a PostgreSQL database to this program's schema and makes sure of its log, in one transaction under a lock: of
// several servers that start at once, one does it. What Prepress cannot keep a publication in is refused with one sentence.
import { createHash } from 'node:crypto';
import { PrepressError } from '../../../base/errors.ts';
import { NEWEST_MIGRATION, PUBLICATION_MIGRATIONS } from '../sqlite/migrations.ts';
import { HOME, LOCKS, makeChangeLog, TRIGGERS_TEXT } from './change-log.ts';
import { planSchema } from './schema.ts';
import { type Session, tooNew } from './session.ts';

const OLDEST_VERSION = 13;
const LOCK_WAIT = '60s';

type Options = {
  /** Puts rows into the new tables before anything is logged; then the database must be empty. */
  readonly load?: () => Promise<void>;
  /** Nothing is made, and nothing is written. */
  readonly isReader?: boolean;
  /** A database without a publication stays without one. */
  readonly mustExist?: boolean | undefined;
};

/**
 * True when the log was lost or altered, and was made anew: rows may have changed unnoticed. Throws DATABASE_UNSUPPORTED,
 * DATABASE_NO_PERMISSION, DATABASE_TOO_NEW and MIGRATION_CHANGED; DATABASE_MISSING when there must be a
 * publication and is none, or a reader finds one of an older program.
 */
export const prepareDatabase = async (
  session: Session,
  options: Options = {},
): Promise<boolean> => {
  await throwIfUnsupported(session);
  if (options.load === undefined && (await isReady(session))) return false;
  const { isReader, mustExist } = options;
  if ((isReader || mustExist) && (await findLog(session)).log === undefined) {
    const hint =
      'Move one there with "prepress database move FILE", or begin with "prepress serve".';
    throw new PrepressError('DATABASE_MISSING', `${session.name} holds no publication.`, { hint });
  }
  if (isReader) {
    const hint = 'Start a server that may change it first.';
    const sentence = `${session.name} holds a publication of an older version.`;
    throw new PrepressError('DATABASE_MISSING', sentence, { hint });
  }
  return session.transaction(BEGIN, () => bringUp(session, options));
};

/** The same of a log that was in order once: asks less. */
export const mendLog = async (session: Session): Promise<boolean> =>
  !(await isReady(session)) && prepareDatabase(session);

/** Functions with the rights of the owner find our tables, whatever path their caller has. */
const BEGIN = `ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '${LOCK_WAIT}';
  SELECT pg_advisory_xact_lock(${LOCKS.migrate});
  SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true)`;

const throwIfUnsupported = async (session: Session): Promise<void> => {
  const [facts] = await session.query<{
    text: string;
    number: number;
    encoding: string;
    standby: boolean;
  }>(
    `SELECT version() AS text, current_setting('server_version_num')::int AS number,
      current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS standby`,
  );
  if (facts === undefined) return;
  const reason = findReason(facts);
  if (reason === null) return;
  throw new PrepressError('DATABASE_UNSUPPORTED', `${session.name} ${reason}.`);
};

/** Others speak PostgreSQL's protocol and keep none of its promises about locks and the order of commits. */
const OTHERS = /CockroachDB|-YB-|YugabyteDB|Redshift|CrateDB|QuestDB|Materialize/i;

export const findReason = (facts: {
  readonly text: string;
  readonly number: number;
  readonly encoding: string;
  readonly standby: boolean;
}): string | null => {
  const [other] = OTHERS.exec(facts.text) ?? [];
  if (other !== undefined)
    return `is ${other === '-YB-' ? 'YugabyteDB' : other}, whose locks do not hold what a publication needs: use PostgreSQL`;
  const major = Math.floor(facts.number / 10_000);
  if (major < OLDEST_VERSION)
    return `is PostgreSQL ${major}: version ${OLDEST_VERSION} or newer is needed`;
  if (facts.encoding !== 'UTF8')
    return `has the encoding ${facts.encoding}: make a database with ENCODING 'UTF8'`;
  return facts.standby ? 'is a standby, which can only be read: name the primary server' : null;
};

type Log = {
  /** It is of this database, and nobody altered what was installed for it. */
  readonly isWhole: boolean;
  readonly applied: readonly Applied[] | null;
};

type Applied = { readonly number: number; readonly sha256: string; readonly is_additive: boolean };

const TRIGGERS_SHA256 = `encode(sha256(convert_to((${TRIGGERS_TEXT}), 'UTF8')), 'hex')`;

/** `hasLater`: also the tables that came after the log. */
const TABLES = `SELECT to_regclass('log_state') IS NOT NULL AND to_regclass('migrations') IS NOT NULL AS "hasLog",
  EXISTS (SELECT FROM pg_attribute WHERE attrelid = to_regclass('servers') AND attname = 'facts') AS "hasLater"`;

type Found = { readonly log: Log | undefined; readonly hasLater: boolean };

const findLog = async (session: Session): Promise<Found> => {
  const [found] = await session.query<{ hasLog: boolean; hasLater: boolean }>(TABLES);
  if (found?.hasLog !== true) return { log: undefined, hasLater: false };
  const [log] = await session.query<Log>(
    `SELECT home IS NOT DISTINCT FROM ${HOME} AND triggers_sha256 = ${TRIGGERS_SHA256} AS "isWhole",
       (SELECT json_agg(m) FROM migrations m) AS applied FROM log_state`,
  );
  return { log, hasLater: found.hasLater };
};

const isReady = async (session: Session): Promise<boolean> => {
  const { log, hasLater } = await findLog(session);
  if (log?.isWhole !== true || !hasLater) return false;
  const applied = numbersOf(session, log.applied ?? []);
  return PUBLICATION_MIGRATIONS.every(({ number }) => applied.has(number));
};

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const numbersOf = (session: Session, applied: readonly Applied[]): Set<number> => {
  const known = new Map(PUBLICATION_MIGRATIONS.map((one) => [one.number, one] as const));
  for (const row of applied) {
    const migration = known.get(row.number);
    if (migration === undefined) {
      if (!row.is_additive) throw tooNew(session, row.number);
    } else if (sha256(migration.sql) !== row.sha256) {
      const sentence = `Migration ${row.number} (${migration.name}) differs from the one that ${session.name} was made with.`;
      throw new PrepressError('MIGRATION_CHANGED', sentence);
    }
  }
  return new Set(applied.map(({ number }) => number));
};

const bringUp = async (session: Session, { load }: Options): Promise<boolean> => {
  const { log } = await findLog(session);
  if (load !== undefined && log !== undefined) {
    const sentence = `${session.name} already holds a publication.`;
    throw new PrepressError('DATABASE_NOT_EMPTY', sentence);
  }
  await applyMissing(session);
  await load?.();
  await session.query(makeChangeLog());
  await session.query(`UPDATE log_state SET triggers_sha256 = ${TRIGGERS_SHA256}`);
  const isLost = log?.isWhole === false;
  if (isLost) await beginLog(session);
  return isLost;
};

const applyMissing = async (session: Session): Promise<void> => {
  await session.query(
    `CREATE TABLE IF NOT EXISTS migrations (number bigint PRIMARY KEY, name text NOT NULL, sha256 text NOT NULL);
     ALTER TABLE migrations ADD COLUMN IF NOT EXISTS is_additive boolean NOT NULL DEFAULT false`,
  );
  const applied = numbersOf(session, await session.query<Applied>('SELECT * FROM migrations'));
  const newest = Math.max(0, ...applied);
  // The log that it would make lacks tables.
  if (newest > NEWEST_MIGRATION) throw tooNew(session, newest);
  const missing = PUBLICATION_MIGRATIONS.filter(({ number }) => !applied.has(number));
  if (missing.length === 0) return;
  await session.query(planSchema(applied.size === 0 ? null : Math.max(...applied)));
  for (const { number, name, sql, isAdditive = false } of missing)
    await session.query('INSERT INTO migrations VALUES ($1, $2, $3, $4)', [
      ...[number, name, sha256(sql), isAdditive],
    ]);
};

/** Changes may have gone unlogged, or the log is one of another database: positions in it mean nothing any more. */
const beginLog = async (session: Session): Promise<void> => {
  await session.query(
    `UPDATE log_state SET epoch = encode(uuid_send(gen_random_uuid()), 'hex'), home = ${HOME}`,
  );
  await session.query('DELETE FROM changes; DELETE FROM commits');
};
