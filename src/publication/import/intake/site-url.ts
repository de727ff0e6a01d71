// The address of the site as an import stores it: absolute, http or https, without a trailing slash.
import { PrepressError } from '../../../base/errors.ts';
import { deriveId } from '../../../base/ids.ts';
import { trimEndOf } from '../../../base/text/trim-of.ts';
import { toStoredTime } from '../../../base/time.ts';
import { findSetting, SAMPLE_SETTING } from '../../store/content/settings.ts';
import { findRows, insertRows, updateRow } from '../../store/import/import-rows.ts';
import type { Queryable, Transaction } from '../../store/store.ts';

/** The stored form, or null when the value is no such address. */
export const parseSiteUrl = (value: unknown): string | null => {
  if (typeof value !== 'string' || !/^https?:\/\//i.test(value) || !URL.canParse(value))
    return null;
  const url = new URL(value);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    return null;
  return `${url.origin}${trimEndOf(url.pathname, '/')}`;
};

/** The address that a server on this machine gives a site without one. */
export const isLocalSite = (url: string): boolean => /^http:\/\/localhost(?::\d+)?$/.test(url);

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

/** What the publication knows of it; that of a sample to which nobody gave one says nothing of another site. */
export const findSiteUrl = async (from: Queryable): Promise<string | null> => {
  const url = parseSiteUrl(await findSetting(from, 'url'));
  const isSample = (await findSetting(from, SAMPLE_SETTING)) !== null;
  return isSample && isLocalSite(url ?? '') ? null : url;
};

/** Keeps it as the setting `url` of the publication. */
export const storeSiteUrl = async (
  tx: Transaction,
  siteUrl: string,
  nowMs: number,
): Promise<void> => {
  const now = toStoredTime(nowMs);
  const [stored] = await findRows(tx, { table: 'settings', by: 'key', values: ['url'] });
  if (stored === undefined) {
    const row = { id: deriveId('settings', 'url'), group: 'site', key: 'url', value: siteUrl };
    await insertRows(tx, 'settings', [
      { ...row, type: 'string', created_at: now, updated_at: now },
    ]);
  } else if (stored.value !== siteUrl) {
    const values = { value: siteUrl, updated_at: now };
    await updateRow(tx, { table: 'settings', id: String(stored.id), values });
  }
};
