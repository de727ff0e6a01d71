// Every table of the publishing database, as Kysely reads it.
import type { Selectable } from 'kysely';
import type { ContentTables } from './content.ts';
import type { MemberTables } from './members.ts';
import type { OfferingTables } from './offerings.ts';
import type { PipelineTables } from './pipeline.ts';

export type Tables = ContentTables & OfferingTables & MemberTables & PipelineTables;

/** A row as it is read. */
export type TableRow<T extends keyof Tables> = Selectable<Tables[T]>;
