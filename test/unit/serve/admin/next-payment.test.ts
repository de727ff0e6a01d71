import { expect, test } from 'vitest';
import { nextPayment } from '../../../../src/publication/documents/admin/next-payment.ts';

type Source = Parameters<typeof nextPayment>[0];

const NOW = Date.parse('2026-03-01T00:00:00.000Z');

const SUBSCRIPTION = {
  status: 'active',
  current_period_end: '2026-03-31T00:00:00.000Z',
  start_date: '2026-01-31T00:00:00.000Z',
  discount_start: '2026-01-31T00:00:00.000Z',
  discount_end: '2026-06-15T00:00:00.000Z',
  plan_interval: 'month',
  plan_amount: 1001,
  plan_currency: 'usd',
  created_at: '2026-01-31T00:00:00.000Z',
};

const subscription = (row: Partial<Source['subscription']> = {}) =>
  ({ ...SUBSCRIPTION, ...row }) as Source['subscription'];

const OFFER = {
  id: 'o',
  discount_type: 'percent',
  discount_amount: 50,
  duration: 'repeating',
  duration_in_months: 5,
  redemption_type: 'signup',
  created_at: '2026-01-01T00:00:00.000Z',
};

const offer = (row: Partial<NonNullable<Source['offer']>> = {}) =>
  ({ ...OFFER, ...row }) as NonNullable<Source['offer']>;

type Expected = { readonly amount: number; readonly end: string | null } | null;

const START = '2026-01-31T00:00:00.000Z';
const RENEWAL = '2026-03-31T00:00:00.000Z';

const LAST = '2026-05-31T00:00:00.000Z';
const OLD = { discount_start: null };

test.each<[string, Partial<Source['subscription']>, Parameters<typeof offer>[0], Expected]>([
  // The last renewal that the discount reaches: 31 March, 30 April, 31 May, not 30 June.
  ['repeating', {}, {}, { amount: 500, end: LAST }],
  ['over before the renewal', { discount_end: '2026-03-30T00:00:00.000Z' }, {}, null],
  ['over', { discount_end: '2026-02-01T00:00:00.000Z' }, {}, null],
  ['once', {}, { duration: 'once' }, { amount: 500, end: RENEWAL }],
  ['forever', { discount_end: null }, { duration: 'forever' }, { amount: 500, end: null }],
  ['fixed', {}, { discount_type: 'amount', discount_amount: 2000 }, { amount: 0, end: LAST }],
  ['a trial', {}, { discount_type: 'trial' }, null],
  ['old and once', OLD, { duration: 'once' }, null],
  ['old and forever', OLD, { duration: 'forever' }, { amount: 500, end: null }],
  ['old and repeating', OLD, {}, { amount: 500, end: LAST }],
  ['old, to retain', OLD, { duration: 'forever', redemption_type: 'retention' }, null],
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
