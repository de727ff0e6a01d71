// What is known of the tables that make up records: which column names the record, what a row links it to,
// which events and documents its rows reach. Triggers, events, plans and imports follow from it.
import { type Column, type ColumnUse, RECORD_COLUMNS } from './record-columns.ts';
import type { Tables } from './tables.ts';

type Columns = typeof RECORD_COLUMNS;
export type LoggedName = keyof Columns;

/** Records that have events of their own. */
export type EventKind = 'post' | 'tag' | 'member';

export type UnloggedTarget = 'labels' | 'newsletters';
type LinkTarget = 'tags' | 'users' | 'tiers' | UnloggedTarget;

export type TableFacts<Column extends string = string> = {
  /** Column that holds the id of the record a row belongs to. */
  readonly record: Column;
  /** Column that is logged beside it: the other record of a link, or the type of a post. */
  readonly other?: Column;
  /** Tables that `record` and `other` of a link name rows of. */
  readonly owner?: LoggedName;
  readonly target?: LinkTarget;
  /** Sets of columns beside the id that the schema makes unique together. */
  readonly unique?: readonly (readonly Column[])[];
  /** Kind of the record whose events its rows make. */
  readonly event?: EventKind;
  /**
   * Documents that its rows are in, those of pages with those of posts, and all that are not made of records with the
   * settings; absent: rows are logged for events alone.
   */
  readonly shows?: 'posts' | 'tags' | 'authors' | 'settings';
};

const ofPost = { record: 'post_id', owner: 'posts', event: 'post' } as const;
const ofMember = { record: 'member_id', owner: 'members', event: 'member' } as const;

export const RECORD_TABLES = {
  posts: {
    record: 'id',
    other: 'type',
    unique: [['slug', 'type']],
    event: 'post',
    shows: 'posts',
  },
  posts_meta: { ...ofPost, unique: [['post_id']], shows: 'posts' },
  posts_tags: {
    ...ofPost,
    other: 'tag_id',
    target: 'tags',
    shows: 'posts',
    unique: [['post_id', 'tag_id']],
  },
  posts_authors: {
    ...ofPost,
    other: 'author_id',
    target: 'users',
    shows: 'posts',
    unique: [['post_id', 'author_id']],
  },
  posts_tiers: {
    ...ofPost,
    other: 'tier_id',
    target: 'tiers',
    shows: 'posts',
    unique: [['post_id', 'tier_id']],
  },
  tiers: { record: 'id', unique: [['slug']], shows: 'settings' },
  benefits: { record: 'id', unique: [['slug']], shows: 'settings' },
  tiers_benefits: {
    record: 'tier_id',
    other: 'benefit_id',
    shows: 'settings',
    unique: [['tier_id', 'benefit_id']],
  },
  tags: { record: 'id', unique: [['slug']], event: 'tag', shows: 'tags' },
  users: { record: 'id', unique: [['slug'], ['email']], shows: 'authors' },
  settings: { record: 'key', unique: [['key']], shows: 'settings' },
  members: { record: 'id', unique: [['uuid'], ['email']], event: 'member' },
  members_labels: {
    ...ofMember,
    other: 'label_id',
    target: 'labels',
    unique: [['member_id', 'label_id']],
  },
  members_newsletters: {
    ...ofMember,
    other: 'newsletter_id',
    target: 'newsletters',
    unique: [['member_id', 'newsletter_id']],
  },
  members_tiers: {
    ...ofMember,
    other: 'tier_id',
    target: 'tiers',
    unique: [['member_id', 'tier_id']],
  },
} as const satisfies { readonly [T in LoggedName]: TableFacts<keyof Columns[T] & string> };

/** Tables whose rows link a record to another one. */
export type LinkTable = {
  [T in LoggedName]: (typeof RECORD_TABLES)[T] extends { target: LinkTarget } ? T : never;
}[LoggedName];

/** Tables that payloads read and nothing logs, with the column by which their rows are asked for. */
const UNLOGGED_KEYS = {
  newsletters: 'id',
  labels: 'id',
  customers: 'member_id',
  subscriptions: 'customer_id',
  prices: 'processor_price_id',
  processor_products: 'processor_product_id',
  offers: 'id',
  offer_redemptions: 'offer_id',
  gifts: 'redeemer_member_id',
  members_tier_events: 'member_id',
} as const satisfies { readonly [T in keyof Tables]?: keyof Tables[T] };

/** Tables whose rows can be read whole, for events and the admin shape. */
export type RecordTable = Exclude<LoggedName, 'settings'> | keyof typeof UNLOGGED_KEYS;

type NamesWhere<T extends LoggedName, Use> = {
  [C in keyof Columns[T]]: Columns[T][C] extends Use ? C : never;
}[keyof Columns[T]];

/** Columns that documents are made of. */
export type ReadColumn<T extends LoggedName> = Exclude<
  keyof Columns[T],
  NamesWhere<T, { reads: null }>
>;
/** Columns that rows are read without. */
export type EditorColumn = NamesWhere<'posts', { logs: null }>;

export const findLogged = (name: string): TableFacts | undefined =>
  Object.hasOwn(RECORD_TABLES, name) ? RECORD_TABLES[name as LoggedName] : undefined;

/** Whether a name of the change log is that of a table of records. */
export const isRecordTable = (name: string): name is Exclude<LoggedName, 'settings'> =>
  name !== 'settings' && Object.hasOwn(RECORD_TABLES, name);

/** Whether the target of a link is a table that the log does not cover. */
export const isUnlogged = (target: LinkTarget): target is UnloggedTarget => target in UNLOGGED_KEYS;

/** The column by which rows are asked for: their own id, or the record they belong to. */
export const keyColumn = (table: RecordTable): string =>
  table in UNLOGGED_KEYS
    ? UNLOGGED_KEYS[table as keyof typeof UNLOGGED_KEYS]
    : RECORD_TABLES[table as LoggedName].record;

export const columnsWhere = (table: LoggedName, isSo: (use: ColumnUse) => boolean): string[] =>
  Object.entries<ColumnUse>(RECORD_COLUMNS[table])
    .filter(([, use]) => isSo(use))
    .map(([name]) => name);

/** The columns of a table that documents are made of. */
export const readColumns = <T extends LoggedName>(table: T): ReadColumn<T>[] =>
  columnsWhere(table, ({ reads }) => reads !== null) as ReadColumn<T>[];

/** Columns of texts that the admin interface takes and shows; they may be null. */
export type EditableColumn<T extends LoggedName> = NamesWhere<T, { charactersMax: number }>;

const editable = <T extends LoggedName>(table: T) =>
  Object.entries<Column>(RECORD_COLUMNS[table])
    .filter(([, { charactersMax }]) => charactersMax !== undefined)
    .map(([name]) => name) as EditableColumn<T>[];

export const EDITABLE = {
  posts: editable('posts'),
  posts_meta: editable('posts_meta'),
  tags: editable('tags'),
};

export const META_FIELDS: readonly string[] = Object.keys(RECORD_COLUMNS.posts_meta).filter(
  (column) => column !== 'id' && column !== RECORD_TABLES.posts_meta.record,
);
