// Row types of members and of everything that is kept about one, as the migrations declare them.
import type { Generated } from 'kysely';
import type { Each } from '../../base/text/words.ts';
import type { StoredTime } from './stored-time.ts';

type Created = { created_at: StoredTime };
type Times = Created & { updated_at: StoredTime | null };

export type LabelsTable = Times & Each<string, 'id name slug'>;

export type CustomersTable = Times &
  Each<string, 'id member_id customer_id'> &
  Each<string | null, 'name email'>;

export type SubscriptionsTable = Times &
  Each<string, 'id customer_id subscription_id status'> &
  Each<string, 'plan_id plan_nickname plan_interval plan_currency'> &
  Each<string | null, 'cancellation_reason default_payment_card_last4 offer_id'> &
  Each<StoredTime, 'current_period_end start_date'> &
  Each<StoredTime | null, 'discount_start discount_end trial_start_at trial_end_at'> &
  Each<Generated<number>, 'cancel_at_period_end mrr'> & {
    processor_price_id: Generated<string>;
    plan_amount: number;
  };

export type OfferRedemptionsTable = Created & Each<string, 'id offer_id member_id subscription_id'>;

export type GiftsTable = Each<string, 'id tier_id cadence currency status'> &
  Each<number, 'duration amount'> &
  Each<StoredTime | null, 'purchased_at redeemed_at consumes_at expires_at'> & {
    redeemer_member_id: string | null;
  };

export type EmailsTable = Times &
  Each<string, 'id post_id uuid'> &
  Each<string | null, 'subject newsletter_id'> &
  Each<Generated<number>, 'email_count track_opens'> & {
    status: Generated<string>;
    submitted_at: StoredTime;
  };

export type EmailRecipientsTable = Each<string, 'id email_id member_id batch_id'> &
  Each<StoredTime | null, 'processed_at delivered_at opened_at failed_at'> &
  Each<string, 'member_uuid member_email'> & { member_name: string | null };

export type SuppressionsTable = Created &
  Each<string, 'id email reason'> & { email_id: string | null };

type AttributionColumns = Created &
  Each<string, 'id member_id'> &
  Each<string | null, 'attribution_id attribution_type attribution_url'> &
  Each<string | null, 'referrer_source referrer_medium referrer_url'>;

export type MembersCreatedEventsTable = AttributionColumns & { source: string };

export type MembersSubscriptionCreatedEventsTable = AttributionColumns & {
  subscription_id: string;
};

export type MembersTierEventsTable = Created &
  Each<string, 'id member_id tier_id'> & { action: string | null };

export type MembersStatusEventsTable = Created &
  Each<string, 'id member_id'> &
  Each<string | null, 'from_status to_status'>;

export type MembersSubscribeEventsTable = Created &
  Each<string, 'id member_id'> &
  Each<string | null, 'source newsletter_id'> & { subscribed: Generated<number> };

export type MemberTables = {
  labels: LabelsTable;
  customers: CustomersTable;
  subscriptions: SubscriptionsTable;
  offer_redemptions: OfferRedemptionsTable;
  gifts: GiftsTable;
  emails: EmailsTable;
  email_recipients: EmailRecipientsTable;
  suppressions: SuppressionsTable;
  members_created_events: MembersCreatedEventsTable;
  members_subscription_created_events: MembersSubscriptionCreatedEventsTable;
  members_tier_events: MembersTierEventsTable;
  members_status_events: MembersStatusEventsTable;
  members_subscribe_events: MembersSubscribeEventsTable;
};
