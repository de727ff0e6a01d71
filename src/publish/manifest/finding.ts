// What a check of the tree finds.

export type Finding = {
  /** Relative to the content folder; empty when it concerns no one file. */
  readonly path: string;
  readonly reason: string;
  /** Nothing is wrong with the site, but somebody may want to know. */
  readonly isNote?: boolean;
};
