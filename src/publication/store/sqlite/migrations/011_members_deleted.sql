-- What goes with a member, or with a subscription of one, is found without reading all rows: members are deleted by the
-- hundred thousand.
CREATE INDEX offer_redemptions_by_member ON offer_redemptions (member_id);
CREATE INDEX offer_redemptions_by_subscription ON offer_redemptions (subscription_id);
CREATE INDEX gifts_by_redeemer ON gifts (redeemer_member_id);
CREATE INDEX members_subscription_created_events_by_member
  ON members_subscription_created_events (member_id);
CREATE INDEX members_subscription_created_events_by_subscription
  ON members_subscription_created_events (subscription_id);
CREATE INDEX members_tier_events_by_member ON members_tier_events (member_id);
CREATE INDEX members_status_events_by_member ON members_status_events (member_id);
CREATE INDEX members_subscribe_events_by_member ON members_subscribe_events (member_id);
