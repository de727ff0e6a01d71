// The columns of a members CSV, by Ghost's names.
export const MEMBERS_COLUMNS = [
  'id',
  'email',
  'name',
  'note',
  'subscribed_to_emails',
  'complimentary_plan',
  'stripe_customer_id',
  'created_at',
  'deleted_at',
  'labels',
  'tiers',
  'gift_id',
] as const;

export type MembersColumn = (typeof MEMBERS_COLUMNS)[number];
