// Row types of members and of everything that is kept about one, as the migrations declare them.
import type { Generated } from 'kysely';
import type { StoredTime } from './stored-time.ts';

export type LabelsTable = {
  id: string;
  name: string;
  slug: string;
  created_at: StoredTime;
  updated_at: StoredTime | null;
};

export type CustomersTable = {
  id: string;
  member_id: string;
  customer_id: string;
  name: string | null;
  email: string | null;
  created_at: StoredTime;
  updated_at: StoredTime | null;
};

export type SubscriptionsTable = {
  id: string;
  customer_id: string;
  subscription_id: string;
  processor_price_id: Generated<string>;
  status: string;
  cancel_at_period_end: Generated<number>;
  cancellation_reason: string | null;
  current_period_end: StoredTime;
  start_date: StoredTime;
  default_payment_card_last4: string | null;
  mrr: Generated<number>;
  offer_id: string | null;
  discount_start: StoredTime | null;
  discount_end: StoredTime | null;
  trial_start_at: StoredTime | null;
  trial_end_at: StoredTime | null;
  plan_id: string;
  plan_nickname: string;
  plan_interval: string;
  plan_amount: number;
  plan_currency: string;
  created_at: StoredTime;
  updated_at: StoredTime | null;
};

export type OfferRedemptionsTable = {
  id: string;
  offer_id: string;
  member_id: string;
  subscription_id: string;
  created_at: StoredTime;
};

export type GiftsTable = {
  id: string;
  redeemer_member_id: string | null;
  tier_id: string;
  cadence: string;
  duration: number;
  currency: string;
  amount: number;
  status: string;
  purchased_at: StoredTime | null;
  redeemed_at: StoredTime | null;
  consumes_at: StoredTime | null;
  expires_at: StoredTime | null;
};

export type EmailsTable = {
  id: string;
  post_id: string;
  uuid: string;
  status: Generated<string>;
  subject: string | null;
  email_count: Generated<number>;
  track_opens: Generated<number>;
  newsletter_id: string | null;
  submitted_at: StoredTime;
  created_at: StoredTime;
  updated_at: StoredTime | null;
};

export type EmailRecipientsTable = {
  id: string;
  email_id: string;
  member_id: string;
  batch_id: string;
  processed_at: StoredTime | null;
  delivered_at: StoredTime | null;
  opened_at: StoredTime | null;
  failed_at: StoredTime | null;
  member_uuid: string;
  member_email: string;
  member_name: string | null;
};

export type SuppressionsTable = {
  id: string;
  email: string;
  email_id: string | null;
  reason: string;
  created_at: StoredTime;
};

/** Where a member came from. */
type AttributionColumns = {
  attribution_id: string | null;
  attribution_type: string | null;
  attribution_url: string | null;
  referrer_source: string | null;
  referrer_medium: string | null;
  referrer_url: string | null;
};

export type MembersCreatedEventsTable = AttributionColumns & {
  id: string;
  created_at: StoredTime;
  member_id: string;
  source: string;
};

export type MembersSubscriptionCreatedEventsTable = AttributionColumns & {
  id: string;
  created_at: StoredTime;
  member_id: string;
  subscription_id: string;
};

export type MembersTierEventsTable = {
  id: string;
  member_id: string;
  tier_id: string;
  action: string | null;
  created_at: StoredTime;
};

export type MembersStatusEventsTable = {
  id: string;
  member_id: string;
  from_status: string | null;
  to_status: string | null;
  created_at: StoredTime;
};

export type MembersSubscribeEventsTable = {
  id: string;
  member_id: string;
  subscribed: Generated<number>;
  source: string | null;
  newsletter_id: string | null;
  created_at: StoredTime;
};

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
