// The words for a record that can have no page of its own, wherever they are said.

/** The warning for a record that has no page at its url. */
export const withoutPage = (url: string): string =>
  `There can be no page at ${url}, which belongs to something else. Give the record another slug.`;
