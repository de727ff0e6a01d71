// The fields of records that a client asked for.

export type JsonRecord = { readonly [key: string]: unknown };

/** Leaves only the keys that `fields` names, and `more`; without it, all of them. */
export const pickFields = (
  records: readonly JsonRecord[],
  fields: readonly string[] | undefined,
  more: readonly string[],
): JsonRecord[] => {
  if (fields === undefined || fields.length === 0) return [...records];
  const wanted = new Set([...fields, ...more]);
  return records.map((record) =>
    Object.fromEntries(Object.entries(record).filter(([key]) => wanted.has(key))),
  );
};
