// The port of a place that the output is carried to. A target knows what stands there and puts or removes
// what it is told; deploy.ts decides what, and in which order.

export type LocalFile = {
  /** Relative to the output, with `/`. */
  readonly path: string;
  readonly size: number;
  /** The bytes. Throws BUILD_BUSY when they are not those that the deploy began with. */
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
  /** Called last, when all is in place. */
  readonly finish?: (done: DeployReport) => Promise<void>;
};

export type StandingFile = { readonly size: number; readonly tag: string };

/** Paths relative to the output. */
export type DeployPlan = {
  readonly written: readonly string[];
  readonly removed: readonly string[];
};

export type DeployReport = DeployPlan & {
  readonly unchanged: number;
};
