// A publication in PostgreSQL as a store: everything reads the read model of this machine.
import { randomBytes } from 'node:crypto';
import { PrepressError } from '../../../base/errors.ts';
import type { SqliteConnection } from '../../../base/sqlite/driver.ts';
import type { PostgresPlace } from '../../../settings/database-address.ts';
import { DB } from '../db.ts';
import { openSqliteStore } from '../sqlite/open-store.ts';
import type { OpenStoreOptions, Store } from '../store.ts';
import { createClaim } from './claim.ts';
import { createEnding } from './ending.ts';
import { type Lease, standForLease } from './lease.ts';
import { mendLog } from './prepare-database.ts';
import { openReadModel } from './read-model.ts';
import type { Scope } from './read-model-file.ts';
import { noteChanges } from './row-changes.ts';
import { joinServers } from './servers.ts';
import type { Session } from './session.ts';
import { quote } from './table-shapes.ts';
import { createWrite } from './write-through.ts';

/** See `openStore` in the port. Throws DATABASE_UNREACHABLE and DATABASE_UNSUPPORTED, too. */
export const openPostgresStore = async (
  path: string,
  place: PostgresPlace,
  options: OpenStoreOptions,
): Promise<Store> => {
  const ending = createEnding();
  const mustExist = options.create !== true;
  const model = await openReadModel(path, place, { ...options, mustExist, ending });
  const { address, isReader } = place;
  const onReadModel = (connection: SqliteConnection): void =>
    isReader ? refuse(connection, model.scope) : noteChanges(connection, model.scope);
  const { mayLead = false } = options;
  const id = randomBytes(12).toString('hex');
  let lease: Lease | null = null;
  let local: Store;
  try {
    if (!isReader && mayLead) lease = await standForLease({ address, server: id, ending });
    local = await openSqliteStore(path, { ...options, create: false, onReadModel });
  } catch (error) {
    ending.begin();
    await lease?.close();
    await model.close();
    throw error;
  }
  const { leads = () => false, fence = refuseToLead } = lease ?? {};
  const write = isReader ? refusing(local.write) : createWrite({ model, local, fence });
  const servers = joinServers({ id, place, model, ending });
  const keepLog = createLogKeeper();
  return {
    path,
    servers,
    isReader,
    postgres: place,
    leads,
    get [DB]() {
      return local[DB];
    },
    onThread: local.onThread,
    write: (run, given = {}) => (given.isOfFile ? local.write(run, given) : write(run, given)),
    claim: isReader ? null : createClaim(model),
    hold: local.hold,
    dataVersion: local.dataVersion,
    publicationMark: local.publicationMark,
    snapshot: local.snapshot,
    mendTriggers: async () => leads() && (await model.alone(keepLog)),
    reopenIfReplaced: local.reopenIfReplaced,
    beginClosing: ending.begin,
    close: async () => {
      ending.begin();
      await lease?.close();
      await servers.close();
      await model.close();
      await local.close();
    },
  };
};

const refuseToLead = async (): Promise<void> => {
  throw new PrepressError('DATABASE_BUSY', 'Another server leads.');
};

/** Old commits that every server has announced go; one that was away for longer reads all rows again. */
const FORGET = `WITH old AS (DELETE FROM commits WHERE at < now() - interval '24 hours'
    AND last_seq < (SELECT seq FROM published_position) RETURNING tx)
  DELETE FROM changes USING old WHERE changes.tx = old.tx`;

const FORGET_MS = 3_600_000;

const createLogKeeper = (): ((session: Session) => Promise<boolean>) => {
  let forgetAt = Number.NEGATIVE_INFINITY;
  return async (session) => {
    const isNew = await mendLog(session);
    if (performance.now() < forgetAt) return isNew;
    await session.query(FORGET);
    forgetAt = performance.now() + FORGET_MS;
    return isNew;
  };
};

const REFUSAL = 'prepress: rows are changed in PostgreSQL';

/** What is written here to a table that PostgreSQL has would be lost: this connection refuses it. */
const refuse = (connection: SqliteConnection, { tables }: Scope): void => {
  for (const { name } of tables)
    for (const event of ['INSERT', 'UPDATE', 'DELETE'])
      connection.exec(
        `CREATE TEMP TRIGGER ${quote(`refuse_${name}_${event}`)} BEFORE ${event} ON main.${quote(name)}
         BEGIN SELECT RAISE(ABORT, '${REFUSAL}'); END`,
      );
};

const refusing =
  (write: Store['write']): Store['write'] =>
  (run, options) =>
    write(run, options).catch(asRefusal);

const asRefusal = (cause: unknown): never => {
  if (!(cause instanceof Error) || cause.message !== REFUSAL) throw cause;
  const sentence = 'This server only reads the publication (setting lead), and saved nothing.';
  throw new PrepressError('DATABASE_ONLY_READ', sentence, { cause });
};
