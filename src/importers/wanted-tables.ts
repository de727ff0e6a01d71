// What an import from Ghost reads of a source: each table that it takes, with the columns that decide anything here.
import type { Wanted } from '../sources/source.ts';
import type { Column } from '../store/import-rows.ts';
import { GHOST_TABLES, ROLE_TABLES } from './ghost-tables.ts';
import { fieldOf } from './normalise-row.ts';

export const wantedTables = (columns: ReadonlyMap<string, readonly Column[]>): Wanted[] => [
  ...GHOST_TABLES.map((facts) => ({
    table: facts.from,
    columns: (columns.get(facts.into) ?? []).map(({ name }) => fieldOf(facts, name)),
  })),
  { table: ROLE_TABLES.roles, columns: ['id', 'name'] },
  { table: ROLE_TABLES.links, columns: ['id', 'user_id', 'role_id'] },
];
