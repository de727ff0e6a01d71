// The port to where an import of members keeps the lines of a file until all of them were judged: of each address the
// last one. It needs no memory, whatever the size of the file.

export type KeptLine = {
  readonly text: string;
  /** A line of the address unsubscribes it. */
  readonly leaves: boolean;
};

export type MemberLines = {
  /** Keeps a line in place of an earlier one of the same address; returns the number of that one. */
  readonly put: (
    email: string,
    line: { readonly number: number; readonly text: string },
  ) => number | null;
  readonly leave: (email: string) => void;
  readonly count: () => number;
  /** In the order in which the addresses first came. */
  readonly batches: (size: number) => Iterable<readonly KeptLine[]>;
  readonly close: () => void;
};
