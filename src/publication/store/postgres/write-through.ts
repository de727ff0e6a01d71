// Saves: they run on the read model and are committed in PostgreSQL. A lock there lets one save run at a time, on all machines
// together. The read model is brought to the newest commit, `run` changes it, the rows that differ are sent, the file is
// rolled back, and the log brings the rows. So `run` may run again, when another program committed meanwhile.
import type { Kysely } from 'kysely';
import { PrepressError } from '../../../base/errors.ts';
import type { Tables } from '../../tables/tables.ts';
import { DB, type Queryable, type Transaction } from '../db.ts';
import type { Store, WriteOptions } from '../store.ts';
import { LOCKS } from './change-log.ts';
import { COMMITTED, type ReadModel } from './read-model.ts';
import type { Scope } from './read-model-file.ts';
import { forgetNoted, isNothing, listChanges, sendChanges } from './row-changes.ts';
import { isAway, isDeadlock, type Session } from './session.ts';
import { quote } from './table-shapes.ts';

const ROUNDS_MAX = 5;
/** From this round on other programs wait with their changes until this one is done. */
const ROUND_ALONE = 3;
/**
 * Whatever the database's own default is: the newest commit is asked for after the locks. A program that was frozen in its
 * save is ended by PostgreSQL, so that others go on.
 */
export const BEGIN = `ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '5s';
  SET LOCAL idle_in_transaction_session_timeout = '30s'; SELECT pg_advisory_xact_lock(${LOCKS.save})`;

/** The name of what was sent, and, once no other program can commit before this one, the newest commit. */
const SEAL = `SELECT current_setting('prepress.tx', true); SELECT pg_advisory_xact_lock(${LOCKS.seal});
  NOTIFY ${COMMITTED}; SELECT coalesce(max(last_seq), 0) FROM commits`;

/** The rules of rows ran on the file: a text that they removed, and that the save then gave, stays. */
const LABEL = `SELECT set_config('prepress.action', $1, true), set_config('prepress.has_rules', 'yes', true)`;

export type Fence = (session: Session) => Promise<void>;

type Parts = { readonly model: ReadModel; readonly local: Store; readonly fence: Fence };

/** Rolls the file back with what was done. */
class Done<T> extends Error {
  readonly result: T;
  readonly changes: Awaited<ReturnType<typeof listChanges>>;

  constructor(result: T, changes: Done<T>['changes']) {
    super('The save is done.');
    this.result = result;
    this.changes = changes;
  }
}

export const createWrite = ({ model, local, fence }: Parts): Store['write'] => {
  const runHere = async <T>(run: (tx: Transaction) => Promise<T>): Promise<Done<T>> => {
    try {
      return await local.write(async (tx) => {
        await forgetNoted(tx[DB]);
        const result = await run(tx);
        throw new Done(result, await listChanges(tx[DB], committedOf(local), model.scope));
      });
    } catch (error) {
      if (error instanceof Done) return error as Done<T>;
      throw error;
    }
  };
  /** Null when another program committed meanwhile. */
  const tryOnce = async <T>(
    run: (tx: Transaction) => Promise<T>,
    { round, action = '', asLeader = false }: WriteOptions & { readonly round: number },
  ): Promise<Done<T> | null> => {
    let sent: { readonly done: Done<T>; readonly group: string } | null = null;
    const save = (session: Session, writer: Session) =>
      writer.transaction(BEGIN, async () => {
        if (round >= ROUND_ALONE) await lockTables(writer, model.scope);
        // Answered while the file is brought to the newest commit, which is waited for whatever the answer.
        const labelled = writer.query(LABEL, [action]);
        labelled.catch(() => undefined);
        const seen = await model.catchUp(session);
        await labelled;
        const done = await runHere(run);
        if (isNothing(done.changes)) return done;
        await sendChanges(writer, done.changes, model.scope);
        if (asLeader) await fence(writer);
        const sealed = (await writer.lists(SEAL)).map(([row]) => row?.[0]);
        if (sealed.at(-1) !== seen) throw new Again();
        sent = { done, group: String(sealed[0]) };
        return done;
      });
    try {
      return await model.alone(async (session, writer) => {
        const done = await save(session, writer);
        if (!isNothing(done.changes)) await showCommitted(model, session);
        return done;
      });
    } catch (error) {
      if (error instanceof Again || isDeadlock(error)) return null;
      const { done, group } = sent ?? { done: null, group: '' };
      if (done !== null && isAway(error) && (await wasCommitted(model, group))) return done;
      throw error;
    }
  };
  return async (run, options = {}) => {
    for (let round = 1; round <= ROUNDS_MAX; round += 1) {
      const done = await tryOnce(run, { ...options, round });
      if (done !== null) return done.result;
    }
    throw new PrepressError('DATABASE_BUSY', 'Other programs changed the database all the time.');
  };
};

/** What was committed is no error, also where the file cannot be brought to it now: the loop tries again. */
const showCommitted = (model: ReadModel, session: Session): Promise<unknown> =>
  model.catchUp(session).catch(() => undefined);

/** The connection was lost in the commit: the log tells whether it came to that. */
const wasCommitted = (model: ReadModel, group: string): Promise<boolean> =>
  model.alone(async (session, writer) => {
    // PostgreSQL may be at that commit still: the lock is free when it has ended.
    const rows = await writer.transaction(BEGIN, () =>
      writer.query('SELECT FROM commits WHERE tx = $1::uuid', [group]),
    );
    await showCommitted(model, session);
    return rows.length === 1;
  });

class Again extends Error {}

const committedOf = (local: Queryable): Kysely<Tables> => local[DB];

/** Before the log, as other programs do, and in the order in which a cascade takes them: else each may wait for the other. */
const lockTables = (session: Session, { tables }: Scope): Promise<unknown> => {
  const names = tables.map(({ name }) => quote(name)).join(', ');
  return session.query(`LOCK TABLE ${names} IN SHARE ROW EXCLUSIVE MODE`);
};
