// Which tables of a Ghost publication are taken, and where they go: the facts that every import from
// Ghost shares. Listed in the order in which they are written, what is referred to before what refers.
// Columns have the same names on both sides unless renamed here; what our tables lack is not taken.
import type { Wanted } from '../../sources/source.ts';
import type { Column, TableName } from '../../store/import/import-rows.ts';
import { type LinkTable, RECORD_TABLES } from '../../tables/record-tables.ts';

export type Reference = {
  readonly column: string;
  readonly table: TableName;
  /** Column that the value is found in; `id` when left out. */
  readonly key?: string;
  /** The value is an id, but the row it names may be absent. */
  readonly loose?: boolean;
};

export type TableFacts = {
  /** Name in Ghost, and name here. */
  readonly from: string;
  readonly into: TableName;
  /** Ghost's column name -> ours. */
  readonly renames?: Readonly<Record<string, string>>;
  readonly references?: readonly Reference[];
  /** Sets of columns that two rows never share (three at most). */
  readonly unique?: readonly (readonly string[])[];
  /** Columns of `unique` that are compared without regard to case. */
  readonly anyCase?: readonly string[];
  /** A row of the publication with the same unique values is the same thing under another id. */
  readonly matches?: boolean;
  /** No two rows of a source have the same: what has it here is the same thing, also if another source gave it. */
  readonly isKeyed?: boolean;
  /** The import's rows replace all rows of those owners that it has. */
  readonly linksOf?: { readonly column: string; readonly owner: TableName };
  /** Columns with a closed set of values. */
  readonly values?: Readonly<Record<string, readonly string[]>>;
  /** Text columns in which an object is kept as JSON. */
  readonly json?: readonly string[];
  /** Columns that a source which is followed gives once: from then on they are changed here. */
  readonly ours?: readonly string[];
};

const post: Reference = { column: 'post_id', table: 'posts' };
const tier: Reference = { column: 'tier_id', table: 'tiers' };
const member: Reference = { column: 'member_id', table: 'members' };
const newsletter: Reference = { column: 'newsletter_id', table: 'newsletters' };
const toTier = { product_id: 'tier_id' };

/** What the store knows of a link is all there is to know of it. */
const linkTable = (from: string, into: LinkTable): TableFacts => {
  const { record, owner, other, target } = RECORD_TABLES[into];
  return {
    from,
    into,
    ...(target === 'tiers' && { renames: toTier }),
    references: [
      { column: record, table: owner },
      { column: other, table: target },
    ],
    unique: [[record, other]],
    matches: true,
    linksOf: { column: record, owner },
  };
};

const CONTENT: readonly TableFacts[] = [
  {
    from: 'users',
    into: 'users',
    unique: RECORD_TABLES.users.unique,
    matches: true,
    json: ['accessibility'],
  },
  {
    from: 'newsletters',
    into: 'newsletters',
    unique: [['slug'], ['name'], ['uuid']],
    matches: true,
    ours: ['sender_email'],
  },
  { from: 'products', into: 'tiers', unique: [['slug']], matches: true },
  { from: 'benefits', into: 'benefits', unique: [['slug']], matches: true, isKeyed: true },
  {
    from: 'products_benefits',
    into: 'tiers_benefits',
    renames: toTier,
    references: [tier, { column: 'benefit_id', table: 'benefits' }],
    unique: [['tier_id', 'benefit_id']],
    matches: true,
    linksOf: { column: 'tier_id', owner: 'tiers' },
  },
  {
    from: 'posts',
    into: 'posts',
    references: [newsletter],
    unique: RECORD_TABLES.posts.unique,
    values: { type: ['post', 'page'], status: ['draft', 'published', 'scheduled', 'sent'] },
    json: ['lexical', 'mobiledoc'],
  },
  {
    from: 'posts_meta',
    into: 'posts_meta',
    references: [post],
    unique: RECORD_TABLES.posts_meta.unique,
    matches: true,
    isKeyed: true,
  },
  {
    from: 'tags',
    into: 'tags',
    unique: RECORD_TABLES.tags.unique,
    matches: true,
    values: { visibility: ['public', 'internal'] },
  },
  linkTable('posts_tags', 'posts_tags'),
  linkTable('posts_authors', 'posts_authors'),
  linkTable('posts_products', 'posts_tiers'),
  {
    from: 'settings',
    into: 'settings',
    unique: RECORD_TABLES.settings.unique,
    matches: true,
    isKeyed: true,
    json: ['value'],
  },
];

const OFFERINGS: readonly TableFacts[] = [
  {
    from: 'stripe_products',
    into: 'processor_products',
    renames: { ...toTier, stripe_product_id: 'processor_product_id' },
    references: [tier],
    unique: [['processor_product_id']],
    matches: true,
  },
  {
    from: 'stripe_prices',
    into: 'prices',
    renames: {
      stripe_price_id: 'processor_price_id',
      stripe_product_id: 'processor_product_id',
    },
    references: [
      { column: 'processor_product_id', table: 'processor_products', key: 'processor_product_id' },
    ],
    unique: [['processor_price_id']],
    matches: true,
  },
  {
    from: 'offers',
    into: 'offers',
    renames: { ...toTier, stripe_coupon_id: 'processor_coupon_id' },
    references: [tier],
    unique: [['code'], ['name'], ['processor_coupon_id']],
    matches: true,
  },
];

const MEMBERS: readonly TableFacts[] = [
  { from: 'labels', into: 'labels', unique: [['slug'], ['name']], matches: true },
  {
    from: 'members',
    into: 'members',
    unique: RECORD_TABLES.members.unique,
    anyCase: ['email'],
    matches: true,
    values: { status: ['free', 'paid', 'comped', 'gift'] },
    json: ['geolocation', 'commenting'],
  },
  linkTable('members_labels', 'members_labels'),
  linkTable('members_newsletters', 'members_newsletters'),
  linkTable('members_products', 'members_tiers'),
  {
    from: 'members_stripe_customers',
    into: 'customers',
    references: [member],
    unique: [['customer_id']],
    matches: true,
  },
  {
    from: 'members_stripe_customers_subscriptions',
    into: 'subscriptions',
    renames: { stripe_price_id: 'processor_price_id' },
    references: [
      { column: 'customer_id', table: 'customers', key: 'customer_id' },
      { column: 'offer_id', table: 'offers' },
    ],
    unique: [['subscription_id']],
    matches: true,
  },
  {
    from: 'offer_redemptions',
    into: 'offer_redemptions',
    references: [
      { column: 'offer_id', table: 'offers' },
      member,
      { column: 'subscription_id', table: 'subscriptions' },
    ],
  },
  {
    from: 'gifts',
    into: 'gifts',
    references: [{ column: 'redeemer_member_id', table: 'members' }, tier],
  },
];

const MAIL_AND_EVENTS: readonly TableFacts[] = [
  {
    from: 'emails',
    into: 'emails',
    references: [{ ...post, loose: true }, newsletter],
    unique: [['post_id']],
    matches: true,
  },
  {
    from: 'email_recipients',
    into: 'email_recipients',
    references: [
      { column: 'email_id', table: 'emails' },
      { ...member, loose: true },
    ],
  },
  {
    from: 'suppressions',
    into: 'suppressions',
    references: [{ column: 'email_id', table: 'emails' }],
    unique: [['email']],
    anyCase: ['email'],
    matches: true,
  },
  { from: 'members_created_events', into: 'members_created_events', references: [member] },
  {
    from: 'members_subscription_created_events',
    into: 'members_subscription_created_events',
    references: [member, { column: 'subscription_id', table: 'subscriptions' }],
  },
  {
    from: 'members_product_events',
    into: 'members_tier_events',
    renames: toTier,
    references: [member, tier],
  },
  { from: 'members_status_events', into: 'members_status_events', references: [member] },
  {
    from: 'members_subscribe_events',
    into: 'members_subscribe_events',
    references: [member, newsletter],
  },
];

export const GHOST_TABLES: readonly TableFacts[] = [
  ...CONTENT,
  ...OFFERINGS,
  ...MEMBERS,
  ...MAIL_AND_EVENTS,
];

/** Read for `users.role`, and not kept themselves. */
export const ROLE_TABLES = { roles: 'roles', links: 'roles_users' } as const;

/** A column of ours that Ghost's table does not have. */
const ROLE = 'users.role';

/** What is asked of a source: the columns that ours are made of. */
export const wantedTables = (
  columns: ReadonlyMap<string, readonly Column[]>,
): readonly Wanted[] => [
  ...GHOST_TABLES.map((facts) => ({
    table: facts.from,
    columns: (columns.get(facts.into) ?? [])
      .map(({ name }) => fieldOf(facts, name))
      .filter((name) => `${facts.from}.${name}` !== ROLE),
  })),
  ...Object.values(ROLE_TABLES).map((table) => ({ table })),
];

/** Ghost's name of one of our columns. */
export const fieldOf = (facts: TableFacts, column: string): string =>
  Object.entries(facts.renames ?? {}).find(([, ours]) => ours === column)?.[0] ?? column;

export const factsFor = (from: string): TableFacts | undefined => BY_NAME.get(from);

/** Ghost's name of one of our tables. */
export const sourceOf = (into: TableName): string => SOURCES.get(into) ?? into;

const BY_NAME: ReadonlyMap<string, TableFacts> = new Map(
  GHOST_TABLES.map((facts) => [facts.from, facts]),
);

const SOURCES: ReadonlyMap<TableName, string> = new Map(
  GHOST_TABLES.map((facts) => [facts.into, facts.from]),
);
