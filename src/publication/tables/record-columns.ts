// Every column of the tables that are logged: the type of its values, whether documents are made of it, whether the change
// log keeps it, whether the admin interface takes it as a text. Row types, reading, logging, events, imports, and the schemas
// of the admin interface follow from this table. A test holds it to the schema.
import type { Generated } from 'kysely';
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

export const RECORD_COLUMNS = {
  posts: {
    id: text(SHOWN),
    uuid: text(SHOWN),
    title: text(SHOWN),
    slug: text(SHOWN),
    mobiledoc: textOrNull(EDITOR),
    lexical: textOrNull(EDITOR),
    html: textOrNull({ ...BODY, holds: 'html' }),
    comment_id: textOrNull(SHOWN),
    plaintext: textOrNull(BODY),
    feature_image: editable(SHOWN_URL, 2000),
    featured: numberByDefault(SHOWN),
    type: textByDefault(SHOWN),
    status: textByDefault(SHOWN),
    locale: textOrNull(KEPT),
    visibility: textByDefault(SHOWN),
    email_recipient_filter: textByDefault(KEPT),
    created_at: time(SHOWN),
    updated_at: timeOrNull(SHOWN),
    published_at: timeOrNull(SHOWN),
    custom_excerpt: editable(SHOWN_HTML, 300),
    codeinjection_head: editable(LONG_HTML, 65_535),
    codeinjection_foot: editable(LONG_HTML, 65_535),
    custom_template: editable(SHOWN, 100),
    canonical_url: editable(SHOWN_URL, 2000),
    newsletter_id: textOrNull(KEPT),
    show_title_and_feature_image: numberByDefault(SHOWN),
  },
  posts_meta: {
    id: text(KEPT),
    post_id: text(KEPT),
    ...PREVIEW_COLUMNS,
    email_subject: editable(SHOWN, 300),
    frontmatter: editable(SHOWN, 65_535),
    feature_image_alt: editable(SHOWN, 191),
    feature_image_caption: editable(SHOWN_HTML, 65_535),
    email_only: numberByDefault(KEPT),
  },
  posts_tags: {
    id: text(SHOWN),
    post_id: text(SHOWN),
    tag_id: text(SHOWN),
    sort_order: numberByDefault(SHOWN),
  },
  posts_authors: {
    id: text(SHOWN),
    post_id: text(SHOWN),
    author_id: text(SHOWN),
    sort_order: numberByDefault(SHOWN),
  },
  posts_tiers: {
    id: text(SHOWN),
    post_id: text(SHOWN),
    tier_id: text(SHOWN),
    sort_order: numberByDefault(SHOWN),
  },
  tiers: {
    id: text(SHOWN),
    name: text(SHOWN),
    slug: text(SHOWN),
    active: numberByDefault(SHOWN),
    welcome_page_url: textOrNull(SHOWN),
    visibility: textByDefault(SHOWN),
    trial_days: numberByDefault(SHOWN),
    description: textOrNull(SHOWN),
    type: textByDefault(SHOWN),
    currency: textOrNull(SHOWN),
    monthly_price: numberOrNull(SHOWN),
    yearly_price: numberOrNull(SHOWN),
    monthly_price_id: textOrNull(SHOWN),
    yearly_price_id: textOrNull(SHOWN),
    created_at: time(SHOWN),
    updated_at: timeOrNull(SHOWN),
  },
  benefits: {
    id: text(SHOWN),
    name: text(SHOWN),
    slug: text(KEPT),
    created_at: time(KEPT),
    updated_at: timeOrNull(KEPT),
  },
  tiers_benefits: {
    id: text(SHOWN),
    tier_id: text(SHOWN),
    benefit_id: text(SHOWN),
    sort_order: numberByDefault(SHOWN),
  },
  tags: {
    id: text(SHOWN),
    name: text(SHOWN),
    slug: text(SHOWN),
    description: editable(SHOWN, 500),
    feature_image: editable(SHOWN_URL, 2000),
    parent_id: textOrNull(KEPT),
    visibility: textByDefault(SHOWN),
    ...PREVIEW_COLUMNS,
    codeinjection_head: editable(SHOWN_HTML, 65_535),
    codeinjection_foot: editable(SHOWN_HTML, 65_535),
    canonical_url: editable(SHOWN_URL, 2000),
    accent_color: editable(SHOWN, 50),
    created_at: time(KEPT),
    updated_at: timeOrNull(KEPT),
  },
  users: {
    id: text(SHOWN),
    name: text(SHOWN),
    slug: text(SHOWN),
    email: text(KEPT),
    role: textByDefault(KEPT),
    profile_image: textOrNull(SHOWN_URL),
    cover_image: textOrNull(SHOWN_URL),
    bio: textOrNull(SHOWN),
    website: textOrNull(SHOWN),
    location: textOrNull(SHOWN),
    facebook: textOrNull(SHOWN),
    twitter: textOrNull(SHOWN),
    threads: textOrNull(SHOWN),
    bluesky: textOrNull(SHOWN),
    mastodon: textOrNull(SHOWN),
    tiktok: textOrNull(SHOWN),
    youtube: textOrNull(SHOWN),
    instagram: textOrNull(SHOWN),
    linkedin: textOrNull(SHOWN),
    accessibility: textOrNull(KEPT),
    status: textByDefault(KEPT),
    locale: textOrNull(KEPT),
    visibility: textByDefault(KEPT),
    meta_title: textOrNull(SHOWN),
    meta_description: textOrNull(SHOWN),
    last_seen: timeOrNull(KEPT),
    created_at: time(KEPT),
    updated_at: timeOrNull(KEPT),
  },
  settings: {
    id: text(KEPT),
    group: textByDefault(KEPT),
    key: text(SHOWN),
    value: textOrNull(SHOWN),
    type: textByDefault(KEPT),
    created_at: time(KEPT),
    updated_at: timeOrNull(KEPT),
  },
  members: {
    id: text(KEPT),
    uuid: text(KEPT),
    transient_id: textOrNull(KEPT),
    email: text(KEPT),
    status: textByDefault(KEPT),
    name: textOrNull(KEPT),
    expertise: textOrNull(KEPT),
    note: textOrNull(KEPT),
    geolocation: textOrNull(KEPT),
    enable_comment_notifications: numberByDefault(KEPT),
    enable_updates_and_announcements: numberOrNull(KEPT),
    email_count: numberByDefault(KEPT),
    email_opened_count: numberByDefault(KEPT),
    email_open_rate: numberOrNull(KEPT),
    email_disabled: numberByDefault(KEPT),
    last_seen_at: timeOrNull(KEPT),
    last_commented_at: timeOrNull(KEPT),
    commenting: textOrNull(KEPT),
    created_at: time(KEPT),
    updated_at: timeOrNull(KEPT),
  },
  members_labels: {
    id: text(KEPT),
    member_id: text(KEPT),
    label_id: text(KEPT),
    sort_order: numberByDefault(KEPT),
  },
  members_newsletters: {
    id: text(KEPT),
    member_id: text(KEPT),
    newsletter_id: text(KEPT),
  },
  members_tiers: {
    id: text(KEPT),
    member_id: text(KEPT),
    tier_id: text(KEPT),
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
