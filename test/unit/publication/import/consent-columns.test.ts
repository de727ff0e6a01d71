// Who wants mail is told by columns and words that are understood, and by no others.
import { expect, test } from 'vitest';
import {
  type Answer,
  type ConsentKind,
  findConsent,
  readConsent,
} from '../../../../src/publication/import/members-csv/consent-columns.ts';

const NAMES: Partial<Record<ConsentKind | 'unclear' | 'null', readonly string[]>> = {
  status: [
    ...['Status', 'subscriber_state', 'type', 'subscription_status', 'Email Permission Status'],
    ...[
      'Email subscriber status',
      'Deliverability status',
      'emailStatus',
      'Marketing contact status',
    ],
  ],
  trouble: ['bounce_status'],
  state: ['state', 'State'],
  when: [
    ...['confirmed_at', 'consent_date', 'Opt-in date', 'Confirmation time', 'Subscriber since'],
    ...['Email Marketing Consent Timestamp', 'OPTIN_TIME', 'CONFIRM_TIME'],
  ],
  left: [
    ...['UNSUB_TIME', 'Unsubscribed at', 'CLEAN_CAMPAIGN_TITLE', 'undeliverability_date'],
    ...['undeliverability_reason', 'do_not_email', 'Do not contact', 'blocked', 'spam', 'bounced'],
    ...['Bounce type', 'HasOptedOutOfEmail', 'Cancelled at', 'EMAIL_BLACKLISTED', 'optout'],
    ...['Email Suppressions', 'Confirmed Opt-Out Date', 'Unsubscribed from all email', 'no_emails'],
    ...['email_disabled', 'Email hard bounce reason', 'not_subscribed', 'is_unconfirmed'],
    ...[
      'Opted out of email: Marketing Information',
      'Invalid email address',
      'Marketing emails bounced',
    ],
  ],
  agreed: [
    ...['Emails enabled', 'Active', 'newsletter', 'OPT_IN', 'Email Marketing Consent', 'is_active'],
    ...[
      'Accepts Marketing',
      'DOUBLE_OPT-IN',
      'activated',
      'confirmed',
      'email_verified',
      'Accepts Email',
    ],
  ],
  unclear: [
    ...['job_status', 'spam_score', 'mailing_list', 'Confirmation code', 'unsubscribed_link'],
    ...['Subscription', 'Statut', 'Abonné', 'Désinscrit', 'abgemeldet', 'gdpr'],
    ...['gekündigt', 'isExcludedFromCampaigns', 'Email notifications', 'banned', 'Can email'],
    ...['wants_email', 'Email preferences', 'Inscrit', 'suspended', 'reachable', 'stop'],
    ...['suscrito', 'Optional consent text', 'left_on', 'Newsletter 2', 'mail_opt', 'donotmail'],
    ...['Ausgetragen am', 'Unzustellbar', 'Widerspruch', 'Gesperrt', 'Do Not Bulk Email'],
  ],
  null: [
    ...['Company', 'city', 'MEMBER_RATING', 'active_subscription', 'subscription_tier', 'optin_ip'],
    ...['order_status', 'Last Charge Status', 'unsubscribe_link', 'Mailing Address', 'churn_date'],
    ...['Subscriptions gifted', 'Subscription country', 'gift_subscription_message'],
    ...['confirmation_ip', 'mailing_zip', 'preferred_name', 'num_emails_opened'],
    ...['Subscription Method', 'Consent to track', 'Attendee Status', 'Email status changed date'],
    ...['Lead Status', 'Card CVC Status', 'Cancel At Period End', 'Mailing Lists', 'Patron Status'],
    ...['Marketing emails opened', 'Last marketing email open date', 'Became a Subscriber Date'],
    ...['Accepts SMS marketing', 'last_active_at', 'emails_received', 'customer_type', 'state_tax'],
  ],
};

test('the words of a column say whether it speaks of consent', () => {
  const found = Object.entries(NAMES).flatMap(([kind, names]) =>
    names.flatMap((name) => {
      const got = String(findConsent(name));
      return got === kind ? [] : [`${name}: ${got}, not ${kind}`];
    }),
  );
  expect(found).toEqual([]);
});

test.each<[ConsentKind, string, Answer | null]>([
  ['status', 'Opt-out', 'left'],
  ['status', 'not subscribed', 'left'],
  ['status', 'Non-Subscribed', 'left'],
  ['status', 'NEVER_SUBSCRIBED', 'left'],
  ['status', 'hard_bounced', 'left'],
  ['status', 'do not email', 'left'],
  ['status', 'forgotten', 'left'],
  ['status', 'no', 'left'],
  ['status', 'needs_attention', 'left'],
  ['status', 'unknownword', 'unclear'],
  ['status', 'OR', 'unclear'],
  ['status', '1', 'unclear'],
  ['status', 'Active', 'agreed'],
  ['status', 'opted in', 'agreed'],
  ['status', '', null],
  ['status', 'past_due', 'agreed'],
  ['status', 'Monthly subscriber', 'agreed'],
  ['status', 'CA', 'unclear'],
  ['status', 'Marketing contact', 'agreed'],
  ['status', 'Non-marketing contact', 'left'],
  ['status', 'Cold', 'left'],
  ['status', 'Marked as spam', 'left'],
  ['status', 'afgemeld', 'left'],
  ['status', 'angemeldet', 'agreed'],
  ['status', 'churned', 'left'],
  ['state', 'CA', 'agreed'],
  ['state', 'California', 'agreed'],
  ['state', 'New South Wales', 'agreed'],
  ['state', 'Bayern', 'unclear'],
  ['state', 'complained', 'left'],
  ['place', 'California', null],
  ['place', 'Cancelled', 'left'],
  ['place', 'subscribing', 'unclear'],
  ['agreed', 'UNSUBSCRIBED', 'left'],
  ['agreed', '0', 'left'],
  ['agreed', 'n/a', 'left'],
  ['agreed', 'nein', 'left'],
  ['agreed', 'Sí', 'agreed'],
  ['agreed', 'maybe', 'unclear'],
  ['agreed', '2024-01-01 10:00:00', 'agreed'],
  ['agreed', 'Yes', 'agreed'],
  ['agreed', '', null],
  ['left', '2024-01-01', 'left'],
  ['left', 'whatever', 'left'],
  ['left', 'none', null],
  ['left', '[]', null],
  ['left', '0000-00-00 00:00:00', null],
  ['left', '', null],
])('in a column of the kind %s, %j says %j', (kind, cell, said) => {
  expect(readConsent(kind, cell)).toBe(said);
});
