// All rows of a few tables as JSON, one after the other, for readers that look for something in any column.
import { sql } from 'kysely';
import { spellBytes } from '../../../base/text/stored-text.ts';
import { db, type Queryable } from '../db.ts';
import type { TableName } from './import-rows.ts';

const BATCH = 100;

export async function* rowsAsJson(
  from: Queryable,
  tables: readonly TableName[],
): AsyncGenerator<string> {
  for (const table of tables) {
    let after = '';
    for (;;) {
      const { rows } = await sql<Readonly<Record<string, unknown>>>`
        select * from ${sql.table(table)} where id > ${after} order by id limit ${BATCH}
      `.execute(db(from));
      for (const row of rows)
        yield JSON.stringify(row, (_key, value: unknown) => spellBytes(value));
      if (rows.length < BATCH) break;
      after = String(rows.at(-1)?.id);
    }
  }
}
