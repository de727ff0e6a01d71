// The port of a place that the output is carried to. A target knows what stands there and puts or removes
// what it is told; the rest of this room decides what, and in which order.

export type LocalFile = {
  /** Relative to the output, with `/`. */
  readonly path: string;
  readonly size: number;
  /** The bytes. Throws BUILD_BUSY when the file is gone. */
  readonly read: () => Buffer;
};

export type DeployTarget = {
  /** The paths that stand there, each with what `isSame` compares. */
  readonly list: () => Promise<ReadonlyMap<string, StandingFile>>;
  readonly isSame: (file: LocalFile, standing: StandingFile) => boolean;
  /** Called before the first file is put or removed, with what will be. */
  readonly begin?: (plan: DeployPlan) => Promise<void>;
  /** Puts files, whole each, in any order; resolves when all of them can be read. */
  readonly put: (files: readonly LocalFile[]) => Promise<void>;
  readonly remove: (paths: readonly string[]) => Promise<void>;
  /** Called first when the run before broke off. */
  readonly recover?: () => Promise<void>;
  /** Called last, when all is in place. */
  readonly finish?: (done: DeployPlan) => Promise<void>;
  /** Ends connections. */
  readonly close?: () => void;
};

export type StandingFile = { readonly size: number; readonly tag: string };

/** Paths relative to the output. */
export type DeployPlan = {
  readonly written: readonly string[];
  readonly removed: readonly string[];
};
