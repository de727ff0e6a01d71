import { expect, test } from 'vitest';
import { nextPayment } from '../../../src/documents/admin/next-payment.ts';

type Source = Parameters<typeof nextPayment>[0];

const NOW = Date.parse('2026-03-01T00:00:00.000Z');

const subscription = (row: Partial<Source['subscription']> = {}): Source['subscription'] => ({
  id: 's',
  customer_id: 'c',
  subscription_id: 'sub',
  processor_price_id: 'p',
  status: 'active',
  cancel_at_period_end: 0,
  cancellation_reason: null,
  current_period_end: '2026-03-31T00:00:00.000Z',
  start_date: '2026-01-31T00:00:00.000Z',
  default_payment_card_last4: null,
  mrr: 0,
  offer_id: 'o',
  discount_start: '2026-01-31T00:00:00.000Z',
  discount_end: '2026-06-15T00:00:00.000Z',
  trial_start_at: null,
  trial_end_at: null,
  plan_id: 'p',
  plan_nickname: 'Monthly',
  plan_interval: 'month',
  plan_amount: 1001,
  plan_currency: 'usd',
  created_at: '2026-01-31T00:00:00.000Z',
  updated_at: null,
  ...row,
});

const offer = (row: Partial<NonNullable<Source['offer']>> = {}): NonNullable<Source['offer']> => ({
  id: 'o',
  active: 1,
  name: 'O',
  code: 'o',
  tier_id: null,
  processor_coupon_id: null,
  interval: 'month',
  currency: 'usd',
  discount_type: 'percent',
  discount_amount: 50,
  duration: 'repeating',
  duration_in_months: 5,
  portal_title: null,
  portal_description: null,
  redemption_type: 'signup',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: null,
  ...row,
});

type Expected = { readonly amount: number; readonly end: string | null } | null;

const START = '2026-01-31T00:00:00.000Z';
const RENEWAL = '2026-03-31T00:00:00.000Z';

test.each<[string, Partial<Source['subscription']>, Parameters<typeof offer>[0], Expected]>([
  // The last renewal that the discount reaches: 31 March, 30 April, 31 May, not 30 June.
  ['repeating', {}, {}, { amount: 500, end: '2026-05-31T00:00:00.000Z' }],
  ['over before the renewal', { discount_end: '2026-03-30T00:00:00.000Z' }, {}, null],
  ['over', { discount_end: '2026-02-01T00:00:00.000Z' }, {}, null],
  ['once', {}, { duration: 'once' }, { amount: 500, end: RENEWAL }],
  ['forever', { discount_end: null }, { duration: 'forever' }, { amount: 500, end: null }],
  [
    'fixed',
    {},
    { discount_type: 'amount', discount_amount: 2000 },
    { amount: 0, end: '2026-05-31T00:00:00.000Z' },
  ],
  ['a trial', {}, { discount_type: 'trial' }, null],
  ['old and once', { discount_start: null }, { duration: 'once' }, null],
  [
    'old and forever',
    { discount_start: null },
    { duration: 'forever' },
    { amount: 500, end: null },
  ],
  [
    'old and repeating',
    { discount_start: null },
    {},
    { amount: 500, end: '2026-05-31T00:00:00.000Z' },
  ],
  [
    'old, of a retention offer',
    { discount_start: null },
    { duration: 'forever', redemption_type: 'retention' },
    null,
  ],
])('%s', (_name, row, offerRow, expected) => {
  const payment = nextPayment({
    subscription: subscription(row),
    offer: offer(offerRow),
    now: NOW,
  });
  expect(payment).toMatchObject({ original_amount: 1001, interval: 'month', currency: 'USD' });
  if (expected === null) expect(payment).toMatchObject({ amount: 1001, discount: null });
  else
    expect(payment).toMatchObject({
      amount: expected.amount,
      discount: { start: START, end: expected.end },
    });
});

test.each(['trialing', 'past_due', 'canceled', 'unpaid'])('none when %s', (status) => {
  expect(nextPayment({ subscription: subscription({ status }), offer: undefined, now: NOW })).toBe(
    null,
  );
});
