// Every table of the publishing database, as Kysely reads it.
import type { Selectable } from 'kysely';
import type { MemberTables } from './members.ts';
import type { OfferingTables } from './offerings.ts';
import type { PipelineTables } from './pipeline.ts';
import type { LoggedTables } from './record-columns.ts';

export type Tables = LoggedTables & OfferingTables & MemberTables & PipelineTables;

export type TableRow<T extends keyof Tables> = Selectable<Tables[T]>;
