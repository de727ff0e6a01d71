// Reads what a member's subscriptions are made of. These rows are not logged: a payload shows them as
// they are in the snapshot, and they make no event by themselves.
import type {
  AdminContext,
  JsonObject,
} from '../../../publication/documents/admin/document-context.ts';
import type { MemberRecord } from '../../../publication/documents/admin/member.ts';
import { adminSubscriptions } from '../../../publication/documents/admin/subscription.ts';
import type { Snapshot } from '../../../publication/snapshot/snapshot.ts';

export const readSubscriptions = (
  snapshot: Snapshot,
  { member, tiers }: MemberRecord,
  context: AdminContext,
): JsonObject[] => {
  const customers = snapshot.rows('customers', [member.id]);
  const subscriptions = snapshot.rows(
    'subscriptions',
    customers.map(({ customer_id }) => customer_id),
  );
  const prices = snapshot.rows(
    'prices',
    subscriptions.map(({ processor_price_id }) => processor_price_id),
  );
  const offers = snapshot.rows(
    'offers',
    subscriptions.flatMap(({ offer_id }) => offer_id ?? []),
  );
  return adminSubscriptions(
    {
      member,
      tiers,
      customers,
      subscriptions,
      prices,
      products: snapshot.rows(
        'processor_products',
        prices.map(({ processor_product_id }) => processor_product_id),
      ),
      offers,
      redemptions: snapshot.rows(
        'offer_redemptions',
        offers.map(({ id }) => id),
      ),
      gifts: snapshot.rows('gifts', [member.id]),
      tierEvents: snapshot.rows('members_tier_events', [member.id]),
    },
    { allTiers: context.tiers, now: context.now },
  );
};
