// Gives a new row what the database requires and no document shows, where the source has nothing that can be read. It is
// made of the id, so that every import makes the same. Pure.
import { toStoredTime } from '../../../base/time.ts';
import type { Column, Row, Value } from '../../store/import/import-rows.ts';
import type { TableFacts } from '../intake/ghost-tables.ts';
import { isTimeColumn } from '../intake/normalise-row.ts';

/** `lacks`: a column for which nothing can be made up, such as the address of a member. */
export const completeRow = (
  { into }: TableFacts,
  columns: readonly Column[],
  row: Row,
): { readonly row: Row } | { readonly lacks: string } => {
  const id = String(row.id);
  const completed: Record<string, Value> = { ...row };
  for (const { name, nullable, hasDefault } of columns) {
    if (name in row || nullable || hasDefault) continue;
    const made = isTimeColumn(name) ? timeOf(id) : (MADE[`${into}.${name}`]?.(id) ?? null);
    if (made === null) return { lacks: name };
    completed[name] = made;
  }
  return { row: completed };
};

const MADE: Readonly<Record<string, (id: string) => string>> = {
  'users.email': (id) => `${id}@example.invalid`,
  'benefits.slug': (id) => id,
};

/** Ids begin with the second in which they were made. */
const timeOf = (id: string): string => toStoredTime(Number.parseInt(id.slice(0, 8), 16) * 1_000);
