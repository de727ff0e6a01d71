// What a snapshot shows of records that are set aside; how they are stored is told in store/log/set-aside.ts.

/** Tables whose rows are records. */
export type RecordHolder = 'posts' | 'tags' | 'users';

/** A row as the change log holds it; `meta` is the posts_meta row of a post or page. */
export type KeptRow = {
  readonly row: Readonly<Record<string, unknown>>;
  readonly meta: Readonly<Record<string, unknown>> | null;
};

export type FieldProblem = { readonly field: string; readonly reason: string };

export type SetAside = {
  readonly entity: RecordHolder;
  readonly id: string;
  readonly problems: readonly FieldProblem[];
  /** Milliseconds. */
  readonly since: number;
  /** The change that broke the row. */
  readonly brokenSeq: number;
  /** The change from which on nothing is shown of the record; null while an earlier row is. */
  readonly hiddenSeq: number | null;
};

/** An entry as a snapshot sees it. */
export type SetAsideEntry = SetAside & {
  readonly epoch: string;
  readonly seq: number;
  /** The first change of the row since; null when there is none. */
  readonly changedSeq: number | null;
  /** False when the row was changed since: then it is rendered like any other. */
  readonly isCurrent: boolean;
};

/** What lists and addresses need of a kept row, so that bodies are not read for it. */
export type KeptKey = {
  /** `post`, `page`, or absent for tags and authors. */
  readonly type?: unknown;
  readonly slug: string;
  /** When a post or page was published, as stored; absent for tags and authors. */
  readonly time?: string | number | null;
};
