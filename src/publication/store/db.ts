// What stands behind a store and its transactions: Kysely. Only this room and the import open it: all others call functions
// with names, so that another database may stand behind them.
import type { Kysely, Transaction as KyselyTransaction } from 'kysely';
import type { Tables } from '../tables/tables.ts';

export const DB = Symbol('db');

/** What functions read: a store, whose newest commit each of them sees, or a transaction. */
export type Queryable = { readonly [DB]: Kysely<Tables> };

export type Transaction = { readonly [DB]: KyselyTransaction<Tables> };

export const db = <K extends Kysely<Tables>>(from: { readonly [DB]: K }): K => from[DB];
