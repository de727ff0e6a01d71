// Reads stored values. SQLite does not hold writers to a column's type, so bytes and numbers that stand in a
// text column are read as the text they spell; invalid UTF-8 becomes U+FFFD.

/** The text of a column that is never null in the interface. */
export const toText = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  return String(value);
};

/** The text of a column that may be empty: null when it is. */
export const toNullableText = (value: unknown): string | null => {
  const text = toText(value);
  return text === '' ? null : text;
};

/** Bytes as the text they spell, any other value as it is: the form in which the change log holds a value. */
export const spellBytes = (value: unknown): unknown =>
  value instanceof Uint8Array ? toText(value) : value;
