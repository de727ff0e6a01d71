// Labels, tiers, offers and users: read, each as a list and one by one. Users are made by imports.
import { PrepressError } from '../../../base/errors.ts';
import { adminAuthor } from '../../../publication/documents/admin/author.ts';
import type { JsonObject } from '../../../publication/documents/admin/document-context.ts';
import { adminLabel } from '../../../publication/documents/admin/label.ts';
import { adminOffer } from '../../../publication/documents/admin/offer.ts';
import { adminTier } from '../../../publication/documents/admin/tier.ts';
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
import type { UseCaseContext } from '../use-case-context.ts';

type ReadContext = Pick<UseCaseContext, 'store' | 'clock' | 'site'>;

export type Readable = 'labels' | 'tiers' | 'offers' | 'users';

/** `include` as sent: of users, `count.posts` and `roles` add something. */
export const browseReadable = (
  context: ReadContext,
  { resource, include }: { readonly resource: Readable; readonly include: readonly string[] },
  parameters: ListParameters,
): Promise<Listed> => {
  const list = async <Row>(
    source: ListSource<Row>,
    show: (rows: Row[]) => JsonObject[] | Promise<JsonObject[]>,
  ): Promise<Listed> => {
    const { rows, pagination } = await readList(context, source, parameters);
    return { records: await show(rows), pagination };
  };
  switch (resource) {
    case 'labels':
      return list(LABEL_LIST, (rows) => rows.map(adminLabel));
    case 'tiers':
      return list(TIER_LIST, (rows) => showTiers(context.store, rows));
    case 'offers':
      return list(OFFER_LIST, (rows) => showOffers(context.store, rows));
    case 'users':
      return list(USER_LIST, (rows) => showUsers(context, rows, include));
  }
};

export type ReadableKey = {
  readonly resource: Readable;
  readonly column: 'id' | 'slug' | 'email';
  readonly value: string;
  readonly include: readonly string[];
};

/** Throws NOT_FOUND. */
export const readReadable = async (
  context: ReadContext,
  { resource, column, value, include }: ReadableKey,
): Promise<JsonObject> => {
  const { store } = context;
  const found = async (): Promise<JsonObject[]> => {
    switch (resource) {
      case 'labels': {
        const find = column === 'slug' ? findLabelBySlug : findLabelById;
        return list(await find(store, value)).map(adminLabel);
      }
      case 'tiers':
        return showTiers(store, list(await findTier(store, value)));
      case 'offers':
        return showOffers(store, list(await findOffer(store, value)));
      case 'users':
        return showUsers(context, list(await findUserBy(store, column, value)), include);
    }
  };
  const [record] = await found();
  if (record !== undefined) return record;
  throw new PrepressError('NOT_FOUND', `${NOUNS[resource]} not found.`);
};

/** The user whom admin keys write for. Throws NOT_FOUND. */
export const readOwner = async (
  context: ReadContext,
  include: readonly string[],
): Promise<JsonObject> => {
  const owner = await findOwner(context.store);
  const [user] = await showUsers(context, list(owner), include);
  if (user === undefined) throw new PrepressError('NOT_FOUND', 'User not found.');
  return user;
};

const NOUNS = { labels: 'Label', tiers: 'Tier', offers: 'Offer', users: 'User' } as const;

const list = <T>(value: T | undefined): T[] => (value === undefined ? [] : [value]);

const showTiers = async (from: Queryable, rows: readonly TierRow[]): Promise<JsonObject[]> => {
  const benefits = await benefitsOfTiers(from);
  return rows.map((row) => ({ ...adminTier(row), benefits: benefits.get(row.id) ?? [] }));
};

const showOffers = async (from: Queryable, rows: readonly OfferRow[]): Promise<JsonObject[]> => {
  const tiers = await listTiers(from);
  const redemptions = await redemptionsOf(
    from,
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
  include: readonly string[],
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
