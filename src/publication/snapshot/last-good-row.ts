// What a snapshot shows of records that are set aside; how they are stored is told in store/log/set-aside.ts.
import * as z from 'zod';

/** Tables whose rows are records. */
export type RecordHolder = 'posts' | 'tags' | 'users';

/** A row as the change log holds it. */
export const loggedRow = z.looseObject({}).readonly();

/** `meta` is the posts_meta row of a post or page. */
export const lastGoodRow = z.object({ row: loggedRow, meta: loggedRow.nullable() }).readonly();
export type LastGoodRow = z.output<typeof lastGoodRow>;

const fieldProblem = z.object({ field: z.string(), reason: z.string() }).readonly();
export type FieldProblem = z.output<typeof fieldProblem>;

export const fieldProblems = z.array(fieldProblem);

export type SetAside = {
  readonly entity: RecordHolder;
  readonly id: string;
  readonly problems: readonly FieldProblem[];
  /** Milliseconds. */
  readonly since: number;
  readonly brokenSeq: number;
  /** The change from which on nothing is shown of the record; null while an earlier row is. */
  readonly hiddenSeq: number | null;
};

export type SetAsideEntry = SetAside & {
  readonly epoch: string;
  readonly seq: number;
  /** The first change of the row since; null when there is none. */
  readonly changedSeq: number | null;
  /** False when the row was changed since: then it is rendered like any other. */
  readonly isCurrent: boolean;
};

/** What lists and addresses need of a kept row, so that bodies are not read for it. */
export const lastGoodKey = z
  .object({
    /** `post`, `page`, or absent for tags and authors. */
    type: z.unknown().optional(),
    slug: z.string(),
    /** When a post or page was published, as stored; absent for tags and authors. */
    time: z.union([z.string(), z.number()]).nullish(),
  })
  .readonly();
export type LastGoodKey = z.output<typeof lastGoodKey>;
