// The bytes of one record inside documents. The variants of a record share all keys but the last
// ones, so the shared part is serialised once and each variant adds its own end.

/** One per record variant: posts and pages index, authors, tags, authors-tags; others index, count. */
export type RecordFragments = readonly Buffer[];

/** The JSON of an object without its closing brace, ready for further keys. */
export const openObject = (value: object): string => JSON.stringify(value).slice(0, -1);

/** Each of `ends` continues the open object and closes it. */
export const createFragments = (open: string, ends: readonly string[]): RecordFragments => {
  const shared = Buffer.from(open, 'utf8');
  return ends.map((end) => {
    const fragment = Buffer.allocUnsafe(shared.length + Buffer.byteLength(end));
    shared.copy(fragment);
    fragment.write(end, shared.length);
    return fragment;
  });
};
