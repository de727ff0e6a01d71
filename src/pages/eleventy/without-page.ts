// The words for a record that can have no page of its own, wherever they are said.

/** The warning for a record that has no page at its url. */
export const withoutPage = (url: string): string =>
  `No page can stand at ${url}: that address belongs to something else. Give the record another slug.`;
