// The one spelling of a path: each segment decoded once and encoded again. Routes, the key guard, the endpoint table
// and plain files are all asked about this spelling, so that no other one reaches a file around a check. Names are what
// the segments decode to. Runtime-neutral, and written so that the oldest of the edge runtimes can run it.

/** What is spelled so whether it was encoded or not. */
const PLAIN = /^[A-Za-z0-9/._~-]*$/;

/** Null when an encoded byte is malformed or the bytes are no UTF-8. An encoded slash stays encoded. */
export const canonicalPath = (rawPath: string): string | null => {
  if (PLAIN.test(rawPath)) return rawPath;
  try {
    return rawPath
      .split('/')
      .map((segment) => encodeURIComponent(decodeURIComponent(segment)))
      .join('/');
  } catch (_malformed) {
    return null;
  }
};
