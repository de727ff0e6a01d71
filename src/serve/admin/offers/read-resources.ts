// Tags, labels, tiers, offers and users: read, each as a list and one by one. Users are made by imports.
import { notFound } from '../../../base/errors.ts';
import { adminAuthor } from '../../../publication/documents/admin/author.ts';
import type { JsonObject } from '../../../publication/documents/admin/document-context.ts';
import { adminLabel } from '../../../publication/documents/admin/label.ts';
import { adminOffer } from '../../../publication/documents/admin/offer.ts';
import { adminTag } from '../../../publication/documents/admin/tag.ts';
import { adminTier } from '../../../publication/documents/admin/tier.ts';
import {
  countPostsOfTags,
  type FullTagRow,
  findTagById,
  findTagBySlug,
  TAG_LIST,
} from '../../../publication/store/content/tags.ts';
import {
  countPostsOfUsers,
  findOwner,
  findUserBy,
  USER_LIST,
  type UserRow,
} from '../../../publication/store/content/users.ts';
import type { ListSource } from '../../../publication/store/list-source.ts';
import {
  findLabelById,
  findLabelBySlug,
  LABEL_LIST,
} from '../../../publication/store/members/labels.ts';
import {
  findOffer,
  OFFER_LIST,
  type OfferRow,
  redemptionsOf,
} from '../../../publication/store/members/offers.ts';
import { benefitsOfTiers } from '../../../publication/store/members/tier-benefits.ts';
import {
  findTier,
  listTiers,
  TIER_LIST,
  type TierRow,
} from '../../../publication/store/members/tiers.ts';
import type { Queryable } from '../../../publication/store/store.ts';
import { type Listed, type ListParameters, readList } from '../list-query.ts';
import { adminShape } from '../posts/read-post.ts';
import type { ReadContext } from '../use-case-context.ts';

/** `include` as sent: `count.posts` of tags and users, and `roles` of users, add something. */
type Include = readonly string[];

export type ReadableKey = {
  readonly column: 'id' | 'slug' | 'email';
  readonly value: string;
  readonly include: Include;
};

type Parts<Row> = {
  readonly noun: string;
  readonly source: ListSource<Row>;
  /** As `PageQuery` says. */
  readonly isWhole?: boolean;
  readonly find: (from: Queryable, key: ReadableKey) => Promise<Row | undefined>;
  readonly show: (
    context: ReadContext,
    rows: readonly Row[],
    include: Include,
  ) => JsonObject[] | Promise<JsonObject[]>;
};

const readable = <Row>({ noun, source, isWhole = false, find, show }: Parts<Row>) => ({
  browse: async (
    context: ReadContext,
    parameters: ListParameters,
    include: Include,
  ): Promise<Listed> => {
    const { rows, pagination } = await readList(context, source, { ...parameters, isWhole });
    return { records: await show(context, rows, include), pagination };
  },
  /** Throws NOT_FOUND. */
  read: async (context: ReadContext, key: ReadableKey): Promise<JsonObject> => {
    const row = await find(context.store, key);
    const [record] = row === undefined ? [] : await show(context, [row], key.include);
    if (record !== undefined) return record;
    throw notFound(noun);
  },
});

/** The user whom admin keys write for. Throws NOT_FOUND. */
export const readOwner = async (context: ReadContext, include: Include): Promise<JsonObject> => {
  const owner = await findOwner(context.store);
  return READABLES.users.read(context, { column: 'id', value: owner?.id ?? '', include });
};

const showTags = async (
  context: ReadContext,
  rows: readonly FullTagRow[],
  include: Include,
): Promise<JsonObject[]> => {
  const shape = await adminShape(context);
  const ids = rows.map(({ id }) => id);
  const counts = include.includes('count.posts')
    ? await countPostsOfTags(context.store, ids)
    : null;
  return rows.map((row) => ({
    ...adminTag(row, shape),
    ...(counts !== null && { count: { posts: counts.get(row.id) ?? 0 } }),
  }));
};

const showTiers = async (
  { store }: ReadContext,
  rows: readonly TierRow[],
): Promise<JsonObject[]> => {
  const benefits = await benefitsOfTiers(store);
  return rows.map((row) => ({ ...adminTier(row), benefits: benefits.get(row.id) ?? [] }));
};

const showOffers = async (
  { store }: ReadContext,
  rows: readonly OfferRow[],
): Promise<JsonObject[]> => {
  const tiers = await listTiers(store);
  const redemptions = await redemptionsOf(
    store,
    rows.map(({ id }) => id),
  );
  return rows.map((offer) =>
    adminOffer({
      offer,
      tier: tiers.find(({ id }) => id === offer.tier_id),
      redemptions: redemptions.filter(({ offer_id }) => offer_id === offer.id),
    }),
  );
};

const showUsers = async (
  context: ReadContext,
  rows: readonly UserRow[],
  include: Include,
): Promise<JsonObject[]> => {
  const shape = await adminShape(context);
  const counts = include.includes('count.posts')
    ? await countPostsOfUsers(
        context.store,
        rows.map(({ id }) => id),
      )
    : null;
  return rows.map((row) => ({
    ...adminAuthor(row, shape),
    ...(include.includes('roles') && { roles: [{ name: row.role }] }),
    ...(counts !== null && { count: { posts: counts.get(row.id) ?? 0 } }),
  }));
};

export const READABLES = {
  tags: readable({
    noun: 'Tag',
    source: TAG_LIST,
    find: (from, { column, value }) =>
      (column === 'slug' ? findTagBySlug : findTagById)(from, value),
    show: showTags,
  }),
  labels: readable({
    noun: 'Label',
    source: LABEL_LIST,
    find: (from, { column, value }) =>
      (column === 'slug' ? findLabelBySlug : findLabelById)(from, value),
    show: (_, rows) => rows.map(adminLabel),
  }),
  tiers: readable({
    noun: 'Tier',
    source: TIER_LIST,
    isWhole: true,
    find: (from, { value }) => findTier(from, value),
    show: showTiers,
  }),
  offers: readable({
    noun: 'Offer',
    source: OFFER_LIST,
    isWhole: true,
    find: (from, { value }) => findOffer(from, value),
    show: showOffers,
  }),
  users: readable({
    noun: 'User',
    source: USER_LIST,
    find: (from, { column, value }) => findUserBy(from, column, value),
    show: showUsers,
  }),
};

export type Readable = keyof typeof READABLES;
