// The one order of names and titles: Intl.Collator of the locale 'en', never the process's locale,
// then the id. Used for pages by title and for tags and authors by name (decisions, Content).

const collator = new Intl.Collator('en');

export const compareText = (a: string, b: string): number => collator.compare(a, b);

/** Order by code units; for ids and paths. */
export const compareCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
