// Every table of the publishing database, as Kysely reads it.
import type { ContentTables } from './content.ts';
import type { MemberTables } from './members.ts';
import type { OfferingTables } from './offerings.ts';
import type { PipelineTables } from './pipeline.ts';

export type Tables = ContentTables & OfferingTables & MemberTables & PipelineTables;
