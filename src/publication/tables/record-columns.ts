// Every column of the tables that are logged: the type of its values, whether documents are made of it, whether the change
// log keeps it, whether the admin interface takes it as a text. Row types, reading, logging, events, imports, and the schemas
// of the admin interface follow from this table. A test holds it to the schema.
import type { Generated } from 'kysely';
import { each } from '../../base/text/words.ts';
import type { StoredTime } from './stored-time.ts';

export type ColumnUse = {
  /** How a document's row is read: as it is, as the bytes of a text, or not. */
  readonly reads: 'value' | 'bytes' | null;
  /** When the change log keeps the value of before: at each change of the row, or of the column. */
  readonly logs: 'always' | 'changes' | null;
  /** It is an address that may be the site's own, or html with such: they are stored in one form. */
  readonly holds?: 'url' | 'html';
};

/** Values of a column, by the name of its type. */
type Values = {
  text: string;
  textOrNull: string | null;
  textByDefault: Generated<string>;
  numberByDefault: Generated<number>;
  numberOrNull: number | null;
  time: StoredTime;
  timeOrNull: StoredTime | null;
};

export type Column = ColumnUse & {
  readonly type: keyof Values;
  /** Greatest length of a text that the admin interface takes and shows. */
  readonly charactersMax?: number;
};

const of =
  <const Type extends keyof Values>(type: Type) =>
  <const Use extends ColumnUse>(use: Use) => ({ ...use, type });

const text = of('text');
const textOrNull = of('textOrNull');
const textByDefault = of('textByDefault');
const numberByDefault = of('numberByDefault');
const numberOrNull = of('numberOrNull');
const time = of('time');
const timeOrNull = of('timeOrNull');

/** A text that a save may set, or null. */
const editable = <const Use extends ColumnUse>(use: Use, charactersMax: number) => ({
  ...textOrNull(use),
  charactersMax,
});

/** Documents show it, or depend on it. */
const SHOWN = { reads: 'value', logs: 'always' } as const;
const SHOWN_URL = { ...SHOWN, holds: 'url' } as const;
const SHOWN_HTML = { ...SHOWN, holds: 'html' } as const;

/** So, too, but long. */
const LONG_HTML = { reads: 'value', logs: 'changes', holds: 'html' } as const;

const BODY = { reads: 'bytes', logs: 'changes' } as const;

/** The admin interface and payloads show it, and no document does. */
const KEPT = { reads: null, logs: 'always' } as const;

/** Big, and in no payload either. */
const EDITOR = { reads: null, logs: null } as const;

/** Of posts_meta and tags alike. */
const PREVIEW_COLUMNS = {
  og_image: editable(SHOWN_URL, 2000),
  og_title: editable(SHOWN, 300),
  og_description: editable(SHOWN, 500),
  twitter_image: editable(SHOWN_URL, 2000),
  twitter_title: editable(SHOWN, 300),
  twitter_description: editable(SHOWN, 500),
  meta_title: editable(SHOWN, 300),
  meta_description: editable(SHOWN, 500),
} as const;

const timesOf = <const Use extends ColumnUse>(use: Use) => ({
  created_at: time(use),
  updated_at: timeOrNull(use),
});

const linkOf = <const Use extends ColumnUse, const Ids extends string>(use: Use, ids: Ids) => ({
  ...each(text(use), ids),
  sort_order: numberByDefault(use),
});

export const RECORD_COLUMNS = {
  posts: {
    ...each(text(SHOWN), 'id uuid title slug'),
    ...each(textOrNull(EDITOR), 'mobiledoc lexical'),
    html: textOrNull({ ...BODY, holds: 'html' }),
    comment_id: textOrNull(SHOWN),
    plaintext: textOrNull(BODY),
    feature_image: editable(SHOWN_URL, 2000),
    featured: numberByDefault(SHOWN),
    ...each(textByDefault(SHOWN), 'type status'),
    locale: textOrNull(KEPT),
    visibility: textByDefault(SHOWN),
    email_recipient_filter: textByDefault(KEPT),
    created_at: time(SHOWN),
    ...each(timeOrNull(SHOWN), 'updated_at published_at'),
    custom_excerpt: editable(SHOWN_HTML, 300),
    codeinjection_head: editable(LONG_HTML, 65_535),
    codeinjection_foot: editable(LONG_HTML, 65_535),
    custom_template: editable(SHOWN, 100),
    canonical_url: editable(SHOWN_URL, 2000),
    newsletter_id: textOrNull(KEPT),
    show_title_and_feature_image: numberByDefault(SHOWN),
  },
  posts_meta: {
    ...each(text(KEPT), 'id post_id'),
    ...PREVIEW_COLUMNS,
    email_subject: editable(SHOWN, 300),
    frontmatter: editable(SHOWN, 65_535),
    feature_image_alt: editable(SHOWN, 191),
    feature_image_caption: editable(SHOWN_HTML, 65_535),
    email_only: numberByDefault(KEPT),
  },
  posts_tags: linkOf(SHOWN, 'id post_id tag_id'),
  posts_authors: linkOf(SHOWN, 'id post_id author_id'),
  posts_tiers: linkOf(SHOWN, 'id post_id tier_id'),
  tiers: {
    ...each(text(SHOWN), 'id name slug'),
    active: numberByDefault(SHOWN),
    welcome_page_url: textOrNull(SHOWN),
    visibility: textByDefault(SHOWN),
    trial_days: numberByDefault(SHOWN),
    description: textOrNull(SHOWN),
    type: textByDefault(SHOWN),
    currency: textOrNull(SHOWN),
    ...each(numberOrNull(SHOWN), 'monthly_price yearly_price'),
    ...each(textOrNull(SHOWN), 'monthly_price_id yearly_price_id'),
    ...timesOf(SHOWN),
  },
  benefits: {
    ...each(text(SHOWN), 'id name'),
    slug: text(KEPT),
    ...timesOf(KEPT),
  },
  tiers_benefits: linkOf(SHOWN, 'id tier_id benefit_id'),
  tags: {
    ...each(text(SHOWN), 'id name slug'),
    description: editable(SHOWN, 500),
    feature_image: editable(SHOWN_URL, 2000),
    parent_id: textOrNull(KEPT),
    visibility: textByDefault(SHOWN),
    ...PREVIEW_COLUMNS,
    codeinjection_head: editable(SHOWN_HTML, 65_535),
    codeinjection_foot: editable(SHOWN_HTML, 65_535),
    canonical_url: editable(SHOWN_URL, 2000),
    accent_color: editable(SHOWN, 50),
    ...timesOf(KEPT),
  },
  users: {
    ...each(text(SHOWN), 'id name slug'),
    email: text(KEPT),
    role: textByDefault(KEPT),
    ...each(textOrNull(SHOWN_URL), 'profile_image cover_image'),
    ...each(textOrNull(SHOWN), 'bio website location facebook twitter threads bluesky mastodon'),
    ...each(textOrNull(SHOWN), 'tiktok youtube instagram linkedin'),
    accessibility: textOrNull(KEPT),
    status: textByDefault(KEPT),
    locale: textOrNull(KEPT),
    visibility: textByDefault(KEPT),
    ...each(textOrNull(SHOWN), 'meta_title meta_description'),
    last_seen: timeOrNull(KEPT),
    ...timesOf(KEPT),
  },
  settings: {
    id: text(KEPT),
    group: textByDefault(KEPT),
    key: text(SHOWN),
    value: textOrNull(SHOWN),
    type: textByDefault(KEPT),
    ...timesOf(KEPT),
  },
  members: {
    ...each(text(KEPT), 'id uuid'),
    transient_id: textOrNull(KEPT),
    email: text(KEPT),
    status: textByDefault(KEPT),
    ...each(textOrNull(KEPT), 'name expertise note geolocation'),
    enable_comment_notifications: numberByDefault(KEPT),
    enable_updates_and_announcements: numberOrNull(KEPT),
    ...each(numberByDefault(KEPT), 'email_count email_opened_count'),
    email_open_rate: numberOrNull(KEPT),
    email_disabled: numberByDefault(KEPT),
    ...each(timeOrNull(KEPT), 'last_seen_at last_commented_at'),
    commenting: textOrNull(KEPT),
    ...timesOf(KEPT),
  },
  members_labels: linkOf(KEPT, 'id member_id label_id'),
  members_newsletters: {
    ...each(text(KEPT), 'id member_id newsletter_id'),
  },
  members_tiers: {
    ...each(text(KEPT), 'id member_id tier_id'),
    sort_order: numberByDefault(KEPT),
    expiry_at: timeOrNull(KEPT),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Column>>>>;

type Columns = typeof RECORD_COLUMNS;

/** The tables that are logged, as Kysely reads them. */
export type LoggedTables = {
  -readonly [T in keyof Columns]: {
    -readonly [C in keyof Columns[T]]: Columns[T][C] extends {
      type: infer Type extends keyof Values;
    }
      ? Values[Type]
      : never;
  };
};
