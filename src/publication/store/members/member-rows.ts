// Everything that members are shown with, for a page of them at once: one query for each table, whatever
// the number of members.
import { type Selectable, sql } from 'kysely';
import type { RecordRow } from '../../snapshot/snapshot.ts';
import type {
  EmailRecipientsTable,
  MembersCreatedEventsTable,
  MembersSubscriptionCreatedEventsTable,
  SuppressionsTable,
} from '../../tables/members.ts';
import { db, type Queryable } from '../db.ts';
import { timeText } from '../list-filter.ts';
import { listRows } from '../table-rows.ts';

export type EmailRecipientRow = Selectable<EmailRecipientsTable>;
export type AttributionRow =
  | Selectable<MembersCreatedEventsTable>
  | Selectable<MembersSubscriptionCreatedEventsTable>;

type OfMember<T> = T & { readonly member_id: string };

/** What members' subscriptions are made of. */
export type BillingRows = {
  readonly customers: readonly RecordRow<'customers'>[];
  readonly subscriptions: readonly RecordRow<'subscriptions'>[];
  readonly prices: readonly RecordRow<'prices'>[];
  readonly products: readonly RecordRow<'processor_products'>[];
  readonly offers: readonly RecordRow<'offers'>[];
  /** Every redemption of those offers. */
  readonly redemptions: readonly RecordRow<'offer_redemptions'>[];
  readonly gifts: readonly RecordRow<'gifts'>[];
  readonly tierEvents: readonly RecordRow<'members_tier_events'>[];
};

/** Rows of all the members asked for; each names its member. */
export type MemberRows = BillingRows & {
  readonly labels: readonly OfMember<RecordRow<'labels'>>[];
  readonly newsletters: readonly OfMember<RecordRow<'newsletters'>>[];
  readonly tiers: readonly OfMember<
    RecordRow<'tiers'> & { readonly expiry_at: string | number | null }
  >[];
  readonly suppressions: readonly Selectable<SuppressionsTable>[];
  /** Tracked e-mails and opened ones, of members that were sent any. */
  readonly opens: readonly OfMember<{ readonly tracked: number; readonly opened: number }>[];
};

type Subject = { readonly id: string; readonly email: string };

export const readMemberRows = async (
  from: Queryable,
  members: readonly Subject[],
): Promise<MemberRows> => {
  const ids = members.map(({ id }) => id);
  const customers = await rowsBy(from, 'customers', { column: 'member_id', values: ids });
  const subscriptions = await rowsBy(from, 'subscriptions', {
    column: 'customer_id',
    values: customers.map(({ customer_id }) => customer_id),
  });
  const prices = await rowsBy(from, 'prices', {
    column: 'processor_price_id',
    values: subscriptions.map(({ processor_price_id }) => processor_price_id),
  });
  const redeemed = await rowsBy(from, 'offer_redemptions', { column: 'member_id', values: ids });
  const offers = await rowsBy(from, 'offers', {
    column: 'id',
    values: [
      ...subscriptions.flatMap(({ offer_id }) => offer_id ?? []),
      ...redeemed.map(({ offer_id }) => offer_id),
    ],
  });
  return {
    ...(await readLinked(from, ids)),
    suppressions: await listRows(from, 'suppressions', {
      where: { email: members.map(({ email }) => email) },
    }),
    opens: await countOpens(from, ids),
    customers,
    subscriptions,
    prices,
    products: await rowsBy(from, 'processor_products', {
      column: 'processor_product_id',
      values: prices.map(({ processor_product_id }) => processor_product_id),
    }),
    offers,
    redemptions: await rowsBy(from, 'offer_redemptions', {
      column: 'offer_id',
      values: offers.map(({ id }) => id),
    }),
    gifts: await rowsBy(from, 'gifts', { column: 'redeemer_member_id', values: ids }),
    tierEvents: await rowsBy(from, 'members_tier_events', { column: 'member_id', values: ids }),
  };
};

type BillingTable =
  | 'customers'
  | 'subscriptions'
  | 'prices'
  | 'processor_products'
  | 'offers'
  | 'offer_redemptions'
  | 'gifts'
  | 'members_tier_events';

/** Rows whose column has one of the values, oldest first. */
const rowsBy = async <T extends BillingTable>(
  from: Queryable,
  table: T,
  { column, values }: { readonly column: string; readonly values: readonly string[] },
): Promise<RecordRow<T>[]> => {
  if (values.length === 0) return [];
  const { rows } = await sql<RecordRow<T>>`SELECT * FROM ${sql.table(table)}
    WHERE ${sql.ref(column)} IN (SELECT value FROM json_each(${JSON.stringify(values)}))
    ORDER BY rowid`.execute(db(from));
  return rows;
};

const readLinked = async (
  from: Queryable,
  ids: readonly string[],
): Promise<Pick<MemberRows, 'labels' | 'newsletters' | 'tiers'>> => {
  if (ids.length === 0) return { labels: [], newsletters: [], tiers: [] };
  return {
    labels: await db(from)
      .selectFrom('members_labels as link')
      .innerJoin('labels', 'labels.id', 'link.label_id')
      .selectAll('labels')
      .select('link.member_id')
      .where('link.member_id', 'in', ids)
      .orderBy('link.sort_order')
      .orderBy('link.id')
      .execute(),
    newsletters: await db(from)
      .selectFrom('members_newsletters as link')
      .innerJoin('newsletters', 'newsletters.id', 'link.newsletter_id')
      .selectAll('newsletters')
      .select('link.member_id')
      .distinct()
      .where('link.member_id', 'in', ids)
      .execute(),
    tiers: await db(from)
      .selectFrom('members_tiers as link')
      .innerJoin('tiers', 'tiers.id', 'link.tier_id')
      .selectAll('tiers')
      .select(['link.member_id', 'link.expiry_at'])
      .where('link.member_id', 'in', ids)
      .orderBy('link.sort_order')
      .orderBy('link.id')
      .execute(),
  };
};

const countOpens = async (
  from: Queryable,
  ids: readonly string[],
): Promise<OfMember<{ tracked: number; opened: number }>[]> => {
  const { rows } = await sql<OfMember<{ tracked: number; opened: number }>>`
    SELECT r.member_id, sum(e.track_opens) AS tracked, sum(r.opened_at IS NOT NULL) AS opened
    FROM email_recipients r JOIN emails e ON e.id = r.email_id
    WHERE r.member_id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))
    GROUP BY r.member_id`.execute(db(from));
  return rows;
};

/** Delivery records of each member's e-mails, oldest first. */
export const recipientsOf = (
  from: Queryable,
  ids: readonly string[],
): Promise<EmailRecipientRow[]> =>
  listRows(from, 'email_recipients', { where: { member_id: ids }, by: ['id'] });

/** How one member came: the newest signup event, and that of each of the subscriptions. */
export const attributionsOf = async (
  from: Queryable,
  memberId: string,
): Promise<{
  readonly member: AttributionRow | undefined;
  /** By the processor's id of the subscription. */
  readonly subscriptions: ReadonlyMap<string, AttributionRow>;
}> => {
  const member = await db(from)
    .selectFrom('members_created_events')
    .selectAll()
    .where('member_id', '=', memberId)
    .orderBy(timeText(sql.ref('created_at')), 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst();
  const events = await db(from)
    .selectFrom('members_subscription_created_events as event')
    .innerJoin('subscriptions', 'subscriptions.id', 'event.subscription_id')
    .selectAll('event')
    .select('subscriptions.subscription_id as processor_id')
    .where('event.member_id', '=', memberId)
    .orderBy(timeText(sql.ref('event.created_at')))
    .orderBy('event.id')
    .execute();
  return { member, subscriptions: new Map(events.map((event) => [event.processor_id, event])) };
};
