// Which tables the triggers watch, and which of their columns they copy into the change log: those of our
// own schema that reach a byte or an event. A column that another program added is never named in a trigger,
// because that program could not drop it again.

export type LoggedTable = {
  readonly table: string;
  /** Columns that hold the id of the record a row belongs to, and of the other record it links. */
  readonly record: string;
  readonly other?: string;
  readonly columns: readonly string[];
  /** Long texts, logged only when they change (`true` stands for "as it is now"). */
  readonly long?: readonly string[];
  /** Sets of columns that are unique together: REPLACE removes other rows through them, unnoticed. */
  readonly unique: readonly (readonly string[])[];
};

const list = (text: string): readonly string[] => text.trim().split(/\s+/);

const META = `og_image og_title og_description twitter_image twitter_title twitter_description
  meta_title meta_description`;

export const LOGGED: readonly LoggedTable[] = [
  {
    table: 'posts',
    record: 'id',
    other: 'type',
    // The two big editor columns stay behind: no payload shows them.
    columns: list(`id uuid title slug html comment_id plaintext feature_image featured type status
      locale visibility email_recipient_filter created_at updated_at published_at custom_excerpt
      codeinjection_head codeinjection_foot custom_template canonical_url newsletter_id
      show_title_and_feature_image`),
    long: ['html', 'plaintext', 'codeinjection_head', 'codeinjection_foot'],
    unique: [['id'], ['slug', 'type']],
  },
  {
    table: 'posts_meta',
    record: 'post_id',
    columns: list(`id post_id ${META} email_subject frontmatter feature_image_alt
      feature_image_caption email_only`),
    unique: [['id'], ['post_id']],
  },
  {
    table: 'posts_tags',
    record: 'post_id',
    other: 'tag_id',
    columns: list('id post_id tag_id sort_order'),
    unique: [['id']],
  },
  {
    table: 'posts_authors',
    record: 'post_id',
    other: 'author_id',
    columns: list('id post_id author_id sort_order'),
    unique: [['id']],
  },
  {
    table: 'posts_tiers',
    record: 'post_id',
    other: 'tier_id',
    columns: list('id post_id tier_id sort_order'),
    unique: [['id']],
  },
  {
    table: 'tags',
    record: 'id',
    columns: list(`id name slug description feature_image parent_id visibility ${META}
      codeinjection_head codeinjection_foot canonical_url accent_color created_at updated_at`),
    unique: [['id'], ['slug']],
  },
  {
    table: 'users',
    record: 'id',
    columns: list(`id name slug email role profile_image cover_image bio website location facebook
      twitter threads bluesky mastodon tiktok youtube instagram linkedin accessibility status locale
      visibility meta_title meta_description last_seen created_at updated_at`),
    unique: [['id'], ['slug'], ['email']],
  },
  {
    table: 'settings',
    record: 'key',
    columns: list('id group key value type created_at updated_at'),
    unique: [['id'], ['key']],
  },
  {
    table: 'members',
    record: 'id',
    columns: list(`id uuid transient_id email status name expertise note geolocation
      enable_comment_notifications enable_updates_and_announcements email_count email_opened_count
      email_open_rate email_disabled last_seen_at last_commented_at commenting created_at
      updated_at`),
    unique: [['id'], ['uuid'], ['email']],
  },
  {
    table: 'members_labels',
    record: 'member_id',
    other: 'label_id',
    columns: list('id member_id label_id sort_order'),
    unique: [['id']],
  },
  {
    table: 'members_newsletters',
    record: 'member_id',
    other: 'newsletter_id',
    columns: list('id member_id newsletter_id'),
    unique: [['id']],
  },
  {
    table: 'members_tiers',
    record: 'member_id',
    other: 'tier_id',
    columns: list('id member_id tier_id sort_order expiry_at'),
    unique: [['id']],
  },
];
