// Which columns of our tables hold addresses of the own site, and texts of html with such: whatever writes them, a save,
// an import or a follower, stores those addresses in one form.
import { type Own, toStoredHtml, toStoredUrl } from './html/stored-urls.ts';

/** The value as it is stored in a column, or as the setting of that key. */
export const toStoredValue = (
  { table, column }: { readonly table: string; readonly column: string },
  value: string,
  own: Own,
): string => {
  const columns = COLUMNS[table];
  if (columns?.urls.has(column)) return toStoredUrl(value, own);
  return columns?.html.has(column) ? toStoredHtml(value, own) : value;
};

type Columns = { readonly urls: ReadonlySet<string>; readonly html: ReadonlySet<string> };

const columns = (urls: string, html = ''): Columns => ({
  urls: new Set(urls.split(/\s+/)),
  html: new Set(html.split(/\s+/)),
});

const INJECTED = 'codeinjection_head codeinjection_foot';

const COLUMNS: Readonly<Record<string, Columns>> = {
  posts: columns('feature_image canonical_url', `html custom_excerpt ${INJECTED}`),
  posts_meta: columns('og_image twitter_image', 'feature_image_caption'),
  tags: columns('feature_image og_image twitter_image canonical_url', INJECTED),
  users: columns('profile_image cover_image'),
  newsletters: columns('header_image'),
  settings: columns('logo icon cover_image og_image twitter_image portal_button_icon', INJECTED),
};
