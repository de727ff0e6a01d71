// The text of one record inside documents. The variants of a record share all keys but the last ones, so
// the shared part is serialised once and each variant adds its own end.

export type RecordText = {
  /** The JSON of the record without its closing brace. */
  readonly open: string;
  /** One per record variant, each closing the record: posts and pages index, authors, tags,
   * authors-tags; others index, count. */
  readonly ends: readonly string[];
};

/** The JSON of an object without its closing brace, ready for further keys. */
export const openObject = (value: object): string => JSON.stringify(value).slice(0, -1);
