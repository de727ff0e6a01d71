// First names of addresses that are taken: no page for readers and no record's own page may begin with one.

/** First names of addresses that belong to the interface and the server (decisions, Addresses). */
export const RESERVED_NAMES: readonly string[] = [
  'content',
  'admin',
  'hooks',
  'health',
  'docs',
  'desk',
  'unsubscribe',
];
