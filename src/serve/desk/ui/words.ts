// Numbers and sizes as people read them, and texts as the server takes them.

export { counted as plural, shown as number } from '../../../base/text/counted.ts';

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

export const size = (bytes: number): string => {
  const at = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** at;
  return `${value.toFixed(at === 0 || value >= 100 ? 0 : 1)} ${UNITS[at]}`;
};

/**
 * A text as a value of the filter language, which knows a backslash before a quotation mark only. None can stand at the
 * end: it is left out, which finds more rather than less.
 */
export const filterText = (text: string): string => {
  let end = text.length;
  while (text.charAt(end - 1) === '\\') end -= 1;
  return `'${text.slice(0, end).replace(/['"]/g, '\\$&')}'`;
};

/** What a field says of a slug: the address that it makes, where the server stores it as it is typed. */
export const addressHint = (slug: string, address: string, stored?: string): string =>
  slug === stored || /^[a-z0-9_-]+$/.test(slug)
    ? address
    : 'Saving makes an address of letters, digits and hyphens from it.';
