// Why a row of a followed source is not taken as it is.
import * as z from 'zod';

export type FollowedRow = { readonly name: string; readonly id: string };

/** Why a row that documents show is not taken as it is, in the source's words. */
export const sourceProblem = z
  .object({
    field: z.string(),
    reason: z.string(),
    /** An earlier version is. */
    isShown: z.boolean(),
    /** Of a setting. */
    key: z.string().exactOptional(),
    /** Of the last import, and not of the source that is followed. */
    isOfImport: z.literal(true).exactOptional(),
  })
  .readonly();
export type SourceProblem = z.output<typeof sourceProblem>;

export type NotTaken = FollowedRow & SourceProblem & { readonly since: number };
