// Where a signup came from (interface: Member, attribution; facts 6.2): the record that was read, while it
// still exists, else the address alone.
import { pick } from '../../../base/text/words.ts';
import type { AttributionRow } from '../../store/members/member-rows.ts';
import type { JsonObject } from './document-context.ts';

export type AttributedRecord = { readonly url: string; readonly title: string };

export const attributionDocument = (
  row: AttributionRow | undefined,
  record: AttributedRecord | undefined,
  siteUrl: string,
): JsonObject | null => {
  if (row === undefined) return null;
  const referrer = pick(row, 'referrer_source referrer_medium referrer_url');
  if (record !== undefined) {
    return { id: row.attribution_id, type: row.attribution_type, ...record, ...referrer };
  }
  const path = row.attribution_url;
  if (path === null) return { id: null, type: null, url: null, title: null, ...referrer };
  const url = path.startsWith('/') ? `${siteUrl}${path}` : path;
  return { id: null, type: 'url', url, title: path === '/' ? 'homepage' : path, ...referrer };
};
