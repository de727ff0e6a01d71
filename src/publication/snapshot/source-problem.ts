// Why a row of a followed source is not taken as it is.

export type FollowedRow = { readonly name: string; readonly id: string };

/** Why a row that documents show is not taken as it is, in the source's words. */
export type SourceProblem = {
  readonly field: string;
  readonly reason: string;
  /** An earlier version is. */
  readonly isShown: boolean;
  /** Of a setting. */
  readonly key?: string;
  /** Of the last import, and not of the source that is followed. */
  readonly isOfImport?: true;
};

export type NotTaken = FollowedRow & SourceProblem & { readonly since: number };
