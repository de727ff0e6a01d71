// Subscriptions of members captured from Ghost, made again from the rows of its database.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadDriver } from '../../../../../src/base/sqlite/driver.ts';
import {
  adminSubscriptions,
  type MemberBilling,
} from '../../../../../src/publication/documents/admin/subscription.ts';

const FOLDER = join(import.meta.dirname, '../../../../fixtures/ghost-small');
const NOW = Date.parse('2026-11-21T02:00:00Z');

type Json = Record<string, unknown>;

const RENAMED: Readonly<Record<string, string>> = {
  stripe_price_id: 'processor_price_id',
  stripe_product_id: 'processor_product_id',
  product_id: 'tier_id',
};

const readRows = (): ((table: string) => Json[]) => {
  const database = new (loadDriver())(join(FOLDER, 'ghost.sqlite'), { readonly: true });
  return (table) =>
    (database.prepare(`SELECT * FROM ${table}`).all() as Json[]).map((row) =>
      Object.fromEntries(Object.entries(row).map(([key, value]) => [RENAMED[key] ?? key, value])),
    );
};

const billingOf = (memberId: unknown): { billing: MemberBilling; allTiers: Json[] } => {
  const rows = readRows();
  const allTiers = rows('products');
  const billing = {
    member: rows('members').find(({ id }) => id === memberId),
    tiers: rows('members_products')
      .filter(({ member_id }) => member_id === memberId)
      .map((link) => ({
        tier: allTiers.find(({ id }) => id === link.tier_id),
        expiryAt: link.expiry_at,
      })),
    customers: rows('members_stripe_customers'),
    subscriptions: rows('members_stripe_customers_subscriptions'),
    prices: rows('stripe_prices'),
    products: rows('stripe_products'),
    offers: rows('offers'),
    redemptions: rows('offer_redemptions'),
    gifts: rows('gifts'),
    tierEvents: rows('members_product_events'),
  };
  return { billing: billing as unknown as MemberBilling, allTiers };
};

/** Where the interface differs from what was captured. */
const asInterface = (captured: Json): Json => {
  const { attribution: _attribution, ...rest } = captured;
  const text = JSON.stringify(rest)
    .replaceAll('"usd"', '"USD"')
    .replaceAll('2027-11-21 01:53:02', '2027-11-21T01:53:02.000Z')
    .replaceAll('1798761600000', '"2027-01-01T00:00:00.000Z"');
  return JSON.parse(text) as Json;
};

describe('captured subscriptions', () => {
  test.each(['paid', 'comped', 'gift', 'free'])('%s', (kind) => {
    const file = JSON.parse(readFileSync(join(FOLDER, `admin-member-read-${kind}.json`), 'utf8'));
    const [member] = (file.body ?? file).members as [Json];
    const { billing, allTiers } = billingOf(member.id);
    const ours = adminSubscriptions(billing, { allTiers: allTiers as never, now: NOW });
    const captured = (member.subscriptions as Json[]).map(asInterface);
    expect(ours).toHaveLength(captured.length);
    for (const [index, one] of captured.entries()) expect(ours[index]).toMatchObject(one);
    for (const one of ours) {
      expect(Object.keys(one)).toEqual(expect.arrayContaining(['trial_start_at', 'discount_end']));
      expect(one).toHaveProperty('price.tier.name');
    }
  });
});
