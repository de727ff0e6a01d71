// The type of a time as the publication's tables hold it; base/time.ts reads it.

/** ISO 8601 text, "YYYY-MM-DD HH:MM:SS" in UTC, or milliseconds since 1970. */
export type StoredTime = string | number;
