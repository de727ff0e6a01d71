// Addresses of the own site, and texts of html with such, have one form in the database: whatever writes them, a save, an
// import or a follower, stores them so.
import { type Column, RECORD_COLUMNS } from '../tables/record-columns.ts';
import { type Own, toStoredHtml, toStoredUrl } from './html/stored-urls.ts';

/** The value as it is stored in a column, or as the setting of that key. */
export const toStoredValue = (
  { table, column }: { readonly table: string; readonly column: string },
  value: string,
  own: Own,
): string => {
  const holds = table === 'settings' ? SETTINGS[column] : COLUMNS[table]?.[column]?.holds;
  if (holds === undefined) return value;
  return holds === 'url' ? toStoredUrl(value, own) : toStoredHtml(value, own);
};

const COLUMNS: Readonly<Record<string, Readonly<Record<string, Partial<Column>>>>> = {
  ...RECORD_COLUMNS,
  newsletters: { header_image: { holds: 'url' } },
};

const SETTINGS: Readonly<Record<string, Column['holds']>> = {
  logo: 'url',
  icon: 'url',
  cover_image: 'url',
  og_image: 'url',
  twitter_image: 'url',
  portal_button_icon: 'url',
  codeinjection_head: 'html',
  codeinjection_foot: 'html',
};
