// Reads fragments back for the tests of documents.

export type JsonRecord = Readonly<Record<string, unknown>>;

/** Parses bytes that must be valid UTF-8 and one JSON object. */
export const parseRecord = (fragment: Buffer | undefined): JsonRecord => {
  if (fragment === undefined) throw new Error('There is no such fragment.');
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(fragment);
  return JSON.parse(text) as JsonRecord;
};
