// Rows of exports of any version, and of converters, in the form that Ghost has now: ids of 24 characters, columns under
// their present names, and what older or simpler files leave out. What is made up follows from the row alone, and the
// order of the file, so that the same file gives the same rows for good.

import { hash } from 'node:crypto';
import { deriveId, isId } from '../../../base/ids.ts';
import { type Noun, numberedSlug, slugOf } from '../../tables/slug-text.ts';
import { OF_ROWS, type RawRow } from '../source.ts';
import { DEFAULT_NEWSLETTER_SLUG, defaultNewsletterName } from './default-newsletter.ts';
import { createPostLinks } from './post-links.ts';
import { memberOf, tableNow } from './subscribers.ts';

export type PresentForm = {
  /** A row of the file; what is no row stays as it is. */
  readonly present: (table: string, row: unknown) => unknown;
  /** After all rows: those that the file has in columns of other tables. */
  readonly finish: () => ReadonlyMap<string, readonly RawRow[]>;
};

type Draft = Record<string, unknown>;

/** What the file has in place of an id that was derived from it. */
export type OwnIds = Map<string, string>;

/** `nowMs`: when rows were made that do not say it; `ownIds` is filled. */
export const createPresentForm = (nowMs: number, ownIds: OwnIds): PresentForm => {
  const slugs = new Map<string, Slugs>();
  const places = new Map<string, number>();
  const links = createPostLinks();
  const subscribers = new Set<string>();
  const roles: [unknown, string][] = [];
  /** Of members of Ghost 3 and 4, which had one newsletter without a name. */
  const subscribed: [member: unknown, isSubscribed: unknown][] = [];
  let title: unknown;
  // Ghost 4.46 and newer have them, and may still have the old column.
  let hasNewsletters = false;
  const take = (table: string, row: Draft): void => {
    links.take(table, row, presentId);
    if (table === 'users') {
      for (const role of [row.roles].flat())
        if (typeof role === 'string') roles.push([row.id, role]);
    }
    if (table === 'members' && 'subscribed' in row) subscribed.push([row.id, row.subscribed]);
    hasNewsletters ||= NEWSLETTER_TABLES.includes(table);
    if (table === 'settings' && row.key === 'title') title = row.value;
  };
  return {
    present: (before, raw) => {
      if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return raw;
      const table = tableNow(before);
      let row = withPresentNames(table, raw);
      if (table !== before) {
        const member = memberOf(row, subscribers);
        ownIds.set(member.id, String(row.id));
        row = member;
      }
      FILLED[table]?.(row);
      if (MADE_AT_A_TIME.has(table) && isEmpty(row.created_at)) {
        delete row.created_at;
        row[OF_ROWS.ifNew] = { created_at: new Date(nowMs).toISOString() };
      }
      fillSlug(table, row, slugs);
      noteId(ownIds, row.id);
      fillIds(table, row);
      if (UNIQUE_TO_SITE.has(table) && !UUID.test(String(row.uuid)))
        row.uuid = deriveUuid(table, row.id);
      const owner = LINKS[table]?.[0];
      if (owner !== undefined && isEmpty(row.sort_order)) {
        row.sort_order = countPlace(places, `${table} ${row[owner]}`);
      }
      take(table, row);
      return row;
    },
    finish: () => {
      return new Map([
        ...links
          .finish()
          .filter(([, rows]) => rows.length > 0)
          .map(([table, rows]) => [table, rows.map((row) => withId(table, row))] as const),
        ...(roles.length > 0 ? rolesOf(roles) : []),
        ...(subscribed.length > 0 && !hasNewsletters
          ? newsletterOf(subscribed, { title, nowMs })
          : []),
      ]);
    },
  };
};

const NEWSLETTER_TABLES = ['newsletters', 'members_newsletters'];

type MadeTable = readonly [table: string, rows: readonly RawRow[]];

const rolesOf = (roles: readonly (readonly [user: unknown, name: string])[]): MadeTable[] => {
  const names = [...new Set(roles.map(([, name]) => name))];
  return [
    ['roles', names.map((name) => ({ id: deriveId('roles', name), name }))],
    [
      'roles_users',
      roles.map(([user_id, name]) =>
        withId('roles_users', { role_id: deriveId('roles', name), user_id }),
      ),
    ],
  ];
};

/** As Ghost 5 made it of theirs. */
const newsletterOf = (
  subscribed: readonly (readonly [member: unknown, isSubscribed: unknown])[],
  { title, nowMs }: { readonly title: unknown; readonly nowMs: number },
): MadeTable[] => {
  const slug = DEFAULT_NEWSLETTER_SLUG;
  const id = deriveId('newsletters', slug);
  const ifNew = {
    name: defaultNewsletterName(title),
    uuid: deriveUuid('newsletters', id),
    created_at: new Date(nowMs).toISOString(),
  };
  const readers = subscribed.flatMap(([member, is]) => (is === 1 || is === true ? [member] : []));
  return [
    ['newsletters', [{ id, slug, [OF_ROWS.ifNew]: ifNew }]],
    [
      'members_newsletters',
      readers.map((member_id) => ({
        id: deriveId('members_newsletters', String(member_id)),
        ...{ member_id, newsletter_id: id },
      })),
    ],
  ];
};

const isEmpty = (value: unknown): value is null | undefined | '' =>
  value === undefined || value === null || value === '';

/** Names of columns before version 1.0. */
const RENAMED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  posts: { image: 'feature_image' },
  tags: { image: 'feature_image' },
  users: { image: 'profile_image', cover: 'cover_image' },
};

const withPresentNames = (table: string, raw: object): Draft => {
  const row: Draft = { ...raw };
  for (const [before, now] of Object.entries(RENAMED[table] ?? {})) {
    if (isEmpty(row[now]) && before in row) row[now] = row[before];
  }
  return row;
};

const ID_COLUMNS =
  `id post_id tag_id author_id user_id role_id product_id benefit_id newsletter_id offer_id
  member_id label_id email_id redeemer_member_id`.split(/\s+/);

/** Tables of links, which need no id of their own. */
const LINKS: Readonly<Record<string, readonly [string, string]>> = {
  posts_tags: ['post_id', 'tag_id'],
  posts_authors: ['post_id', 'author_id'],
  posts_products: ['post_id', 'product_id'],
  products_benefits: ['product_id', 'benefit_id'],
  roles_users: ['user_id', 'role_id'],
};

const MADE_AT_A_TIME: ReadonlySet<string> = new Set(
  'posts tags users members newsletters products benefits'.split(' '),
);

const UNIQUE_TO_SITE: ReadonlySet<string> = new Set(['posts', 'newsletters', 'members']);

/** The digits of a number, as Ghost has its first user; of other texts a hash. What can be no id stays. */
const presentId = (value: unknown): unknown => {
  if (typeof value !== 'string' && !Number.isSafeInteger(value)) return value;
  const text = String(value);
  if (text === '' || isId(text)) return value;
  return /^\d{1,23}$/.test(text) ? text.padStart(24, '0') : deriveId('export', text);
};

/** Only what names a row and nobody, as far as memory allows. */
const OWN_ID = /^[\w.:-]{1,60}$/;
const OWN_IDS_MAX = 100_000;

const noteId = (ownIds: OwnIds, own: unknown): void => {
  if (typeof own !== 'string' || !OWN_ID.test(own) || ownIds.size >= OWN_IDS_MAX) return;
  const id = presentId(own);
  if (id !== own) ownIds.set(String(id), own);
};

const fillIds = (table: string, row: Draft): void => {
  for (const column of ID_COLUMNS) if (column in row) row[column] = presentId(row[column]);
  if (isEmpty(row.id)) row.id = idFor(table, row);
};

const withId = (table: string, row: RawRow): RawRow => ({ ...row, id: idFor(table, row) });

/** What a row is known by where it has no id; undefined: nothing. */
const idFor = (table: string, row: RawRow): unknown => {
  const link = LINKS[table];
  const parts = link?.map((column) => row[column]) ?? [
    NAMES[table]?.map((column) => row[column]).find((value) => !isEmpty(value)),
  ];
  if (parts.some(isEmpty)) return undefined;
  return deriveId(table, ...parts.map(String));
};

const NAMES: Readonly<Record<string, readonly string[]>> = {
  posts: ['uuid', 'slug'],
  posts_meta: ['post_id'],
  tags: ['slug'],
  users: ['slug', 'email'],
  settings: ['key'],
  newsletters: ['uuid', 'slug'],
  products: ['slug'],
  benefits: ['slug'],
};

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

const deriveUuid = (table: string, id: unknown): string => {
  const hex = hash('sha256', `${table}\n${id}`, 'hex');
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
  ];
  return [...parts, hex.slice(20, 32)].join('-');
};

const countPlace = (places: Map<string, number>, owner: string): number => {
  const place = places.get(owner) ?? 0;
  places.set(owner, place + 1);
  return place;
};

/** Comments know a post by the id that it had first. */
const fillPost = (row: Draft): void => {
  if (isEmpty(row.title)) row.title = UNTITLED;
  // Ghost 1 keeps the id of earlier versions there.
  const first = isEmpty(row.amp) ? row.id : row.amp;
  if (isEmpty(row.comment_id) && !isEmpty(first)) row.comment_id = String(first);
  if (isEmpty(row.created_at)) row.created_at = row.published_at ?? row.updated_at;
  for (const column of ['lexical', 'mobiledoc'])
    if (Object(row[column]) === row[column]) row[column] = JSON.stringify(row[column]);
  const hasBody = ['html', 'lexical', 'mobiledoc'].some((column) => !isEmpty(row[column]));
  if (!hasBody && typeof row.markdown === 'string' && row.markdown !== '') {
    row.mobiledoc = markdownCard(row.markdown);
  }
};

/** As Ghost saves it. */
const fillTag = (row: Draft): void => {
  if (/^#/.test(String(row.name))) row.visibility = 'internal';
};

const FILLED: Readonly<Record<string, (row: Draft) => void>> = { posts: fillPost, tags: fillTag };

const UNTITLED = '(Untitled)';

/** As Ghost 1.0 took over the posts of earlier versions. */
const markdownCard = (markdown: string): string =>
  JSON.stringify({
    version: '0.3.1',
    markups: [],
    atoms: [],
    cards: [['markdown', { cardName: 'markdown', markdown }]],
    sections: [[10, 0]],
  });

const SLUGGED: Readonly<Record<string, { readonly noun: Noun; readonly from: string }>> = {
  posts: { noun: 'post', from: 'title' },
  tags: { noun: 'tag', from: 'name' },
  users: { noun: 'user', from: 'name' },
};

const SLUG = /^[\da-z_-]+$/;

/** Of a table, as far as it was read. */
type Slugs = { readonly taken: Set<string>; readonly made: Set<string> };

/** As Ghost does, slugs are made of what is none, too; a slug of the file gives way to one that was made before. */
const fillSlug = (table: string, row: Draft, slugs: Map<string, Slugs>): void => {
  const rules = SLUGGED[table];
  if (rules === undefined) return;
  const { taken, made } = slugs.get(table) ?? { taken: new Set(), made: new Set() };
  slugs.set(table, { taken, made });
  const given = isEmpty(row.slug) ? row[rules.from] : row.slug;
  if (typeof given !== 'string' || given === '') return;
  let slug = given;
  if (isEmpty(row.slug) || !SLUG.test(given) || made.has(given)) {
    slug = numberedSlug(slugOf(given, { noun: rules.noun }), taken);
    made.add(slug);
  }
  row.slug = slug;
  taken.add(slug);
};
