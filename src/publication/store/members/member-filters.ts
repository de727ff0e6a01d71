// What lists of members can be filtered by (facts 6.6): each column of a member, and what is linked to one. Clicks
// and feedback are not kept here, so a filter by them is refused.
import { type RawBuilder, sql } from 'kysely';
import { each } from '../../../base/text/words.ts';
import type { FilterField, FilterFields } from '../list-filter.ts';
import { columnField, ownColumns } from '../list-source.ts';
import { isSubscribed } from './member-links.ts';

type Kinds = Readonly<Record<string, FilterField['kind']>>;

export const MEMBER_COLUMNS = ownColumns('members', {
  ...each('text', 'id uuid transient_id email name expertise note geolocation commenting'),
  status: 'word',
  ...each('flag', 'enable_comment_notifications enable_updates_and_announcements email_disabled'),
  ...each('number', 'email_count email_opened_count email_open_rate'),
  ...each('time', 'last_seen_at last_commented_at created_at updated_at'),
});

const NAMED: Kinds = { ...each('text', 'id name'), slug: 'word' };

const SUBSCRIPTION: Kinds = {
  ...each('text', 'id customer_id subscription_id status cancellation_reason offer_id'),
  ...each('text', 'default_payment_card_last4 plan_id plan_nickname plan_interval plan_currency'),
  ...each('time', 'current_period_end start_date discount_start discount_end trial_start_at'),
  ...each('time', 'trial_end_at created_at updated_at'),
  ...each('number', 'mrr plan_amount'),
  cancel_at_period_end: 'flag',
};

const ATTRIBUTION: Kinds = {
  ...each('text', 'attribution_id attribution_type attribution_url'),
  ...each('text', 'referrer_source referrer_medium referrer_url'),
  created_at: 'time',
};

const EMAIL: Kinds = each('text', 'id post_id newsletter_id');
const REDEMPTION: Kinds = { ...each('text', 'id offer_id'), created_at: 'time' };

type Relation = {
  /** The rows that name members, with what they are joined to. */
  readonly from: RawBuilder<unknown>;
  readonly member: string;
  /** Whose columns are compared. */
  readonly table: string;
  /** `null` asks for a row without the value; otherwise for members of whom no row has one. */
  readonly hasNulls?: boolean;
};

const linked = ({ from, member, table, hasNulls = false }: Relation, kinds: Kinds) => {
  const id = sql.ref(member);
  return (name: string): FilterField => ({
    ...columnField(table, name, kinds[name] ?? 'text'),
    hasNulls,
    exists: (condition) =>
      sql<boolean>`EXISTS (SELECT 1 FROM ${from} WHERE ${id} = members.id AND ${condition})`,
    among: (condition) =>
      sql<boolean>`(members.id IN (SELECT ${id} FROM ${from} WHERE ${condition}))`,
  });
};

/** `noun` stands for its main column, and `noun.column` for each. */
const fieldsOf = (
  nouns: readonly string[],
  relation: Relation,
  { kinds, main }: { readonly kinds: Kinds; readonly main: string },
): FilterFields => {
  const fieldOf = linked(relation, kinds);
  const fields: Record<string, FilterField> = {};
  for (const noun of nouns) {
    fields[noun] = fieldOf(main);
    for (const name of Object.keys(kinds)) fields[`${noun}.${name}`] = fieldOf(name);
  }
  return fields;
};

/** A resource that members have, by a table of links. */
const resource = (table: 'labels' | 'newsletters' | 'tiers'): Relation => {
  const link = `members_${table}`;
  const key = sql.ref(`${link}.${table.slice(0, -1)}_id`);
  return {
    from: sql`${sql.table(link)} JOIN ${sql.table(table)} ON ${sql.ref(`${table}.id`)} = ${key}`,
    member: `${link}.member_id`,
    table,
  };
};

const recipients = (isOpened: boolean): Relation => ({
  from: sql`email_recipients JOIN emails ON emails.id = email_recipients.email_id
    ${isOpened ? sql`AND email_recipients.opened_at IS NOT NULL` : sql``}`,
  member: 'email_recipients.member_id',
  table: 'emails',
  hasNulls: true,
});

const rowsOf = (table: string): Relation => ({
  from: sql.table(table),
  member: `${table}.member_id`,
  table,
});

const BY_SLUG = { kinds: NAMED, main: 'slug' } as const;

export const MEMBER_FILTERS: FilterFields = {
  ...MEMBER_COLUMNS.fields,
  ...fieldsOf(['label', 'labels'], resource('labels'), BY_SLUG),
  ...fieldsOf(['tier', 'tiers', 'product', 'products'], resource('tiers'), BY_SLUG),
  tier_id: linked(resource('tiers'), NAMED)('id'),
  ...fieldsOf(['newsletter', 'newsletters'], resource('newsletters'), {
    kinds: { ...NAMED, status: 'word' },
    main: 'slug',
  }),
  subscribed: { value: isSubscribed('members.id'), kind: 'flag' },
  ...fieldsOf(
    ['subscriptions'],
    {
      from: sql`customers JOIN subscriptions ON subscriptions.customer_id = customers.customer_id`,
      member: 'customers.member_id',
      table: 'subscriptions',
      hasNulls: true,
    },
    { kinds: SUBSCRIPTION, main: 'status' },
  ),
  ...fieldsOf(['emails'], recipients(false), { kinds: EMAIL, main: 'post_id' }),
  ...fieldsOf(['opened_emails'], recipients(true), { kinds: EMAIL, main: 'post_id' }),
  ...fieldsOf(['offer_redemptions'], rowsOf('offer_redemptions'), {
    kinds: REDEMPTION,
    main: 'offer_id',
  }),
  ...fieldsOf(['signup'], rowsOf('members_created_events'), {
    kinds: ATTRIBUTION,
    main: 'attribution_id',
  }),
  ...fieldsOf(['conversion'], rowsOf('members_subscription_created_events'), {
    kinds: ATTRIBUTION,
    main: 'attribution_id',
  }),
};
