// Records of the content interface -> rows of Ghost's tables. Pure. Columns that the interface does not show are absent;
// those that no new row can be without stand under `if_new`.
import { deriveId } from '../../../base/ids.ts';
import { trimEndOf } from '../../../base/text/trim-of.ts';
import { columnsWhere, META_FIELDS } from '../../tables/record-tables.ts';
import { LEFT_OUT, PAYWALL, type RawRow, WITHHELD } from '../source.ts';
import { type ContentRecord, isPublic, type WholePost } from './responses.ts';
import type { StoredTexts } from './stored-text.ts';

const POST_FIELDS = columnsWhere('posts', ({ reads }) => reads === 'value');

const pick = (record: RawRow, columns: readonly string[], texts: StoredTexts): RawRow =>
  Object.fromEntries(
    columns.flatMap((column) => (column in record ? [[column, texts.text(record[column])]] : [])),
  );

/**
 * Of a body that is not for everyone the interface shows the part before the paywall, or nothing, and of others what is in no block for members;
 * `shows_part` says of each body that a longer one may be known elsewhere.
 */
export const postRow = (record: WholePost, type: 'post' | 'page', texts: StoredTexts): RawRow => {
  const html = texts.html(record.html ?? null);
  return {
    id: record.id,
    ...pick(record, POST_FIELDS, texts),
    type,
    status: 'published',
    shows_part: true,
    ...(isPublic(record) && !record.isCut
      ? { html, plaintext: texts.text(record.plaintext ?? null) }
      : { html: gatedBody(record, String(html ?? '')), plaintext: null }),
  };
};

/** Where a body begins with the paywall, an excerpt of its own is shown all the same. */
const gatedBody = (record: WholePost, shown: string): string => {
  if (isPublic(record)) return shown + LEFT_OUT;
  const { custom_excerpt, excerpt } = record;
  const hasPaywall = shown !== '' || (Boolean(custom_excerpt) && custom_excerpt === excerpt);
  return hasPaywall ? shown + PAYWALL : WITHHELD;
};

export const metaRow = (record: Pick<WholePost, 'id'> & RawRow, texts: StoredTexts): RawRow => ({
  id: deriveId('posts_meta', record.id),
  post_id: record.id,
  ...pick(record, META_FIELDS, texts),
});

/** A link has no id that the interface shows. */
export const linkRow = (
  table: string,
  [postId, column, target]: readonly [string, string, string],
  sortOrder: number,
): RawRow => ({
  id: deriveId(table, postId, target),
  post_id: postId,
  [column]: target,
  sort_order: sortOrder,
});

const NOT_STORED: ReadonlySet<string> = new Set(['url', 'count']);

export const tagRow = (record: ContentRecord, texts: StoredTexts): RawRow => ({
  ...shownColumns(record, texts),
  if_new: { created_at: madeAt(record.id) },
});

/** Addresses of authors are not shown; nobody receives mail at this one. */
export const authorRow = (record: ContentRecord, texts: StoredTexts): RawRow => ({
  ...shownColumns(record, texts),
  if_new: { created_at: madeAt(record.id), email: `${record.id}@author.invalid` },
});

const shownColumns = (record: ContentRecord, texts: StoredTexts): RawRow =>
  pick(
    record,
    Object.keys(record).filter((column) => !NOT_STORED.has(column)),
    texts,
  );

/** The first digits of an id are the second in which it was made. */
const madeAt = (id: string): string =>
  new Date(Number.parseInt(id.padStart(24, '0').slice(0, 8), 16) * 1000).toISOString();

type TierRows = {
  readonly tier: RawRow;
  readonly benefits: readonly RawRow[];
  readonly links: readonly RawRow[];
};

export const tierRows = (record: ContentRecord): TierRows => {
  const names = Array.isArray(record.benefits) ? record.benefits.map(String) : [];
  const { benefits: _names, gift_prices: _gifts, ...tier } = record;
  const made = String(record.created_at ?? madeAt(record.id));
  const benefits = names.map((name) => {
    const slug = slugOf(name);
    return { id: deriveId('benefits', slug), name, slug, if_new: { created_at: made } };
  });
  return {
    tier,
    benefits,
    links: benefits.map(({ id, slug }, index) => ({
      id: deriveId('products_benefits', record.id, slug),
      product_id: record.id,
      benefit_id: id,
      sort_order: index,
    })),
  };
};

const slugOf = (name: string): string => {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .split(/[^a-z0-9]/);
  const slug = words.filter((word) => word !== '').join('-');
  return slug === '' ? deriveId('benefits', name) : slug;
};

/** Made by Ghost when it is asked, of settings and configuration; `labs` are those that are on. */
const COMPUTED = new Set(
  `version lang members_enabled donations_enabled allow_self_signup members_invite_only labs
  paid_members_enabled firstpromoter_account`.split(/\s+/),
);

const ICON_SIZE = '/content/images/size/w256h256/';

/** One row for each; values as the texts that Ghost stores. */
export const settingRows = (values: RawRow, texts: StoredTexts): readonly RawRow[] =>
  Object.entries(values)
    .filter(([key]) => !COMPUTED.has(key))
    .map(([key, value]) => ({
      id: deriveId('settings', key),
      key,
      value: settingText(key, value, texts),
      if_new: { created_at: new Date(0).toISOString() },
    }));

const settingText = (key: string, value: unknown, texts: StoredTexts): unknown => {
  if (key === 'url') return typeof value === 'string' ? trimEndOf(value, '/') : value;
  if (value === null || value === undefined) return null;
  if (typeof value !== 'string') return JSON.stringify(value);
  return texts.text(key === 'icon' ? value.replace(ICON_SIZE, '/content/images/') : value);
};
