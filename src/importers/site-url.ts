// The address of the site as an import stores it: absolute, http or https, without a trailing slash.
import { PrepressError } from '../base/errors.ts';
import { trimEndOf } from '../base/trim-of.ts';

/** The stored form, or null when the value is no such address. */
export const parseSiteUrl = (value: unknown): string | null => {
  if (typeof value !== 'string' || !/^https?:\/\//i.test(value) || !URL.canParse(value))
    return null;
  const url = new URL(value);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    return null;
  return `${url.origin}${trimEndOf(url.pathname, '/')}`;
};

/** As parseSiteUrl; throws CONFIG_INVALID. */
export const getSiteUrl = (value: string): string => {
  const url = parseSiteUrl(value);
  if (url !== null) return url;
  throw new PrepressError(
    'CONFIG_INVALID',
    'The site address must be absolute, such as https://example.com, without query or password.',
    { property: 'siteUrl' },
  );
};
