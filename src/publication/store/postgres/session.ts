// One connection to PostgreSQL, and what its errors mean. It works through a pooler in transaction mode: nothing is kept
// between transactions. No message has the address, which may hold a password.
import type { Socket } from 'node:net';
import type { Client, ClientConfig, QueryArrayConfig } from 'pg';
import { codeOf, findSystemWords, withSystemWords } from '../../../base/error-code.ts';
import { PrepressError } from '../../../base/errors.ts';
import { loadOptional } from '../../../base/optional-packages.ts';
import { shownAddress } from '../../../settings/database-address.ts';
import { createEnding, type Ending } from './ending.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** Of a server that answers nothing more; longer than any wait for a lock. */
const QUERY_TIMEOUT_MS = 90_000;
/** The driver waits until the other side has ended, too: behind a broken network that takes minutes. */
const CLOSE_TIMEOUT_MS = 2_000;
const INT8 = 20;

export type Row = Readonly<Record<string, unknown>>;

export type Session = {
  /** What messages call the database. */
  readonly name: string;
  /** Throws errors under a code of ours. */
  readonly query: <T extends Row = Row>(sql: string, values?: readonly unknown[]) => Promise<T[]>;
  /** Rows as lists of values, in the order of the columns. */
  readonly list: (sql: string, values?: readonly unknown[]) => Promise<unknown[][]>;
  /** The same of each of several statements, which are sent as one. */
  readonly lists: (sql: string) => Promise<unknown[][][]>;
  /**
   * Runs `work` in one transaction, and rolls back when it throws. `begin` is the mode, and statements sent with it: `work`
   * gets what they answer.
   */
  readonly transaction: <T>(
    begin: string,
    work: (begun: unknown[][][]) => Promise<T>,
  ) => Promise<T>;
  /** False behind a pooler, which gives each transaction another connection: nothing is heard there. */
  readonly listen: (channel: string, onNotice: () => void) => Promise<boolean>;
  readonly isOpen: () => boolean;
  readonly close: () => Promise<void>;
};

/** Of one state, which later commits do not change. */
export const SNAPSHOT = 'ISOLATION LEVEL REPEATABLE READ READ ONLY';

/** Throws DATABASE_UNREACHABLE, and PACKAGE_MISSING without the driver. */
export const openSession = async (
  address: string,
  ending: Ending = createEnding(),
): Promise<Session> => {
  try {
    return await connect(address, ending);
  } catch (error) {
    const plain = new URL(address);
    const isOptional = /^(?:allow|prefer)$/.test(plain.searchParams.get('sslmode') ?? '');
    if (!isOptional || !String((error as Error).message).includes(NO_TLS)) throw error;
    plain.searchParams.set('sslmode', 'disable');
    return connect(plain.href, ending);
  }
};

/** What the driver says, which does not go on without TLS itself. */
const NO_TLS = 'The server does not support SSL connections';

const connect = async (address: string, ending: Ending): Promise<Session> => {
  const { default: pg } = await loadOptional('pg', 'Addresses postgres://', () => import('pg'));
  const name = shownAddress(address);
  let isOpen = true;
  const client = openClient(() => new pg.Client(optionsOf(address, pg.types)), name);
  /** What is not answered any more fails at once. */
  const breakOff = (): void => {
    isOpen = false;
    streamOf(client).destroy();
    ending.broken.removeEventListener('abort', breakOff);
  };
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await ending.within(work);
    } catch (error) {
      const known = asPostgresError(error, name);
      if (isAway(known)) breakOff();
      throw known;
    }
  };
  client.on('error', breakOff);
  ending.broken.addEventListener('abort', breakOff);
  await run(async () => {
    if (ending.broken.aborted) throw new Error('the program ends');
    await client.connect();
  }).catch((error: unknown) => {
    // The driver leaves it open when it refuses what the server asks for.
    breakOff();
    throw error;
  });
  const query = async <T extends Row>(sql: string, values: readonly unknown[] = []): Promise<T[]> =>
    run(async () => (await client.query(sql, [...values])).rows as T[]);
  const lists = (text: string): Promise<unknown[][][]> =>
    run(async () => {
      const asked: QueryArrayConfig = { text, rowMode: 'array' };
      return [await client.query<unknown[]>(asked)].flat().map(({ rows }) => rows);
    });
  return {
    name,
    lists,
    // Several statements in one text are taken without values alone.
    query: (sql, values) =>
      values === undefined
        ? run(async () => (await client.query(sql)).rows ?? [])
        : query(sql, values),
    list: (text, values = []) =>
      run(async () => {
        const asked: QueryArrayConfig = { text, values: [...values], rowMode: 'array' };
        return (await client.query<unknown[]>(asked)).rows;
      }),
    transaction: async (begin, work) => {
      try {
        const [, ...begun] = await lists(`BEGIN ${begin}`);
        const result = await work(begun);
        await run(() => client.query('COMMIT'));
        return result;
      } catch (error) {
        const undone = client.query('ROLLBACK').catch(breakOff);
        // What answered nothing answers nothing to this either.
        if (isOpen) await undone;
        throw error;
      }
    },
    listen: async (channel, onNotice) => {
      const [own] = await query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      // What the connection was told when it began.
      if (own?.pid !== (client as Client & { readonly processID?: number }).processID) return false;
      client.on('notification', onNotice);
      await query(`LISTEN ${channel}`);
      return true;
    },
    isOpen: () => isOpen,
    close: async () => {
      const late = setTimeout(breakOff, CLOSE_TIMEOUT_MS);
      await client.end().catch(() => undefined);
      clearTimeout(late);
      breakOff();
    },
  };
};

const openClient = (open: () => Client, name: string): Client => {
  try {
    return open();
  } catch (error) {
    throw asPostgresError(error, name);
  }
};

const streamOf = (client: Client): Socket =>
  (client as Client & { readonly connection: { readonly stream: Socket } }).connection.stream;

type Types = typeof import('pg').types;

/** The words for TLS mean what they mean to psql: the driver's own reading of them is stricter. */
const optionsOf = (address: string, types: Types): ClientConfig => {
  const url = new URL(address);
  if (url.searchParams.has('sslmode') && !url.searchParams.has('uselibpqcompat'))
    url.searchParams.set('uselibpqcompat', 'true');
  return {
    connectionString: url.href,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'prepress',
    types: {
      // Numbers and times of ours stay below 2 ** 53.
      getTypeParser: ((oid: number, format?: 'text') =>
        oid === INT8 ? Number : types.getTypeParser(oid, format)) as Types['getTypeParser'],
    },
  };
};

/** A newer program changed the schema in a way that this one cannot go on with. */
export const tooNew = ({ name }: Pick<Session, 'name'>, number: number): PrepressError => {
  const sentence = `${name} has migration ${number}, which this Prepress does not know.`;
  return new PrepressError('DATABASE_TOO_NEW', sentence);
};

export const isAway = (error: unknown): boolean =>
  error instanceof PrepressError && error.code === 'DATABASE_UNREACHABLE';

/** It may end by itself: PostgreSQL did not refuse the user, the password, the database or the way of the connection. */
export const isOutage = (error: unknown): boolean =>
  isAway(error) && !isRefusal((error as Error).cause);

const isRefusal = (cause: unknown): boolean =>
  REFUSED.test(codeOf(cause)) || REFUSED_BY_DRIVER.test(String(cause));

const REFUSED = /^(?:28|3D)/;
/** A password is asked for and not given, or the server has no TLS. */
const REFUSED_BY_DRIVER = /SASL|SSL connections/;

/** Two transactions waited for each other, and PostgreSQL ended this one. */
export const isDeadlock = (error: unknown): boolean =>
  error instanceof Error && codeOf(error.cause) === '40P01';

/** Errors of PostgreSQL and of the way to it under codes of ours; those of rows pass as they are. */
const asPostgresError = (cause: unknown, name: string): unknown => {
  if (cause instanceof PrepressError || !(cause instanceof Error)) return cause;
  const code = codeOf(cause);
  const fail = (known: PrepressError['code'], sentence: string, extras = {}): PrepressError =>
    new PrepressError(known, sentence, { cause, ...extras });
  if (/^(?:55P03|57014|40001|40P01)$/.test(code))
    return fail('DATABASE_BUSY', `${name} stayed locked for too long (${code}).`);
  if (code === '42501' || code === '3F000')
    return fail('DATABASE_NO_PERMISSION', `${name} refused what Prepress needs: ${cause.message}.`);
  if (code === '25006')
    return fail(
      'DATABASE_UNSUPPORTED',
      `${name} is a standby, or read-only: name the primary server.`,
    );
  if (code === '42P07')
    return fail('DATABASE_NOT_EMPTY', `${name} holds tables of another program: ${cause.message}.`);
  if (/^(?:28|3D|53|55000|57P|08|25P0[34])/.test(code) || !/^[0-9A-Z]{5}$/.test(code))
    return fail(
      'DATABASE_UNREACHABLE',
      `${name} cannot be reached: ${reasonOf(cause)}.`,
      hintAt(cause),
    );
  return cause;
};

const hintAt = (cause: Error): { readonly hint?: string } => {
  if (isRefusal(cause))
    return {
      hint: 'Correct the user, the password, the name of the database or the sslmode in the setting database, and try again.',
    };
  return findSystemWords(codeOf(cause)) === null
    ? {}
    : {
        hint: 'Check the address in the setting database, and that PostgreSQL runs there, and try again.',
      };
};

/** Texts of the system's errors repeat the address. */
const reasonOf = (error: Error): string => {
  const [first] = error instanceof AggregateError ? error.errors : [error];
  const code = codeOf(error);
  if (findSystemWords(code) !== null) return withSystemWords(code);
  return String((first as Error).message || code);
};
