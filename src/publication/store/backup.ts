// The port to copies of the publishing database.

export type DatabaseCopy = {
  /** What is wrong with the database, and so with its copy, in the database's own words. */
  readonly faults: readonly string[];
  /** The file that holds the copy until it has its name. */
  readonly partial: string;
  /** Gives the copy its name; a file that has it is replaced. */
  readonly place: () => void;
  /** Removes a copy that has no name yet. */
  readonly discard: () => void;
};
