// The port to what a look at a source found to differ from what was last taken; a source of any size needs no memory.

/** `changed`: new rows, too. `gone`: from the source. `dropped`: blocks, by the id of their last row. */
export type FollowedBlock = {
  /** Id of its last row. */
  readonly upto: string;
  /** The alternating ids and marks of its rows, as a JSON array. */
  readonly rows: string;
};

export type DifferenceKind = 'changed' | 'gone' | 'dropped';

export type Difference = {
  readonly add: (kind: DifferenceKind, table: string, ids: readonly string[]) => void;
  readonly addBlock: (table: string, block: FollowedBlock) => void;
  readonly forget: (kind: DifferenceKind, table: string) => void;
  /** Those among a few ids that are in it. */
  readonly has: (kind: DifferenceKind, table: string, ids: readonly string[]) => Set<string>;
  readonly count: (kind: DifferenceKind, table: string) => number;
  /** In the order of the ids, a few hundred at a time. */
  readonly ids: (kind: DifferenceKind, table: string) => Iterable<string[]>;
  readonly blocks: (table: string) => Iterable<FollowedBlock[]>;
  /** Tables with anything in it. */
  readonly tables: () => ReadonlySet<string>;
  readonly close: () => void;
};
