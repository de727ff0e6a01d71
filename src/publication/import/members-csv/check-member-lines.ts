// What the publication makes of lines of a members CSV, some hundred at a time: the tier that a line gives, and why it
// cannot be taken. Changes nothing.

import * as z from 'zod';
import { foldEmail } from '../../../base/text/email.ts';
import { parseStoredTime } from '../../../base/time.ts';
import { findRows, type Row, type TableName } from '../../store/import/import-rows.ts';
import { listTiers, type TierRow } from '../../store/members/tiers.ts';
import type { Queryable } from '../../store/store.ts';
import type { Problem } from '../intake/normalise-row.ts';
import { readMembers } from './members-by-address.ts';
import type { CsvLine } from './members-csv-file.ts';
import { type MemberLine, memberLine, parseMemberLine } from './members-csv-line.ts';

export const checkedLine = memberLine.omit({ tiers: true }).extend({
  tierId: z.string().nullable(),
  /** Of the tier. */
  expiryAt: z.string().nullable(),
  /** Changes a member who is there, and makes none. */
  isOfKnown: z.boolean().optional(),
  /** A member had the address when the file was judged. */
  wasKnown: z.boolean().optional(),
  /** When that member was saved, if by then that was in the future: a clock ran ahead. */
  savedAhead: z.string().optional(),
});
export type CheckedLine = Readonly<z.output<typeof checkedLine>>;

/** Ends the newsletters of a stored member, whatever else a refused line says. */
export const leavingLine = (email: string): CheckedLine => ({
  ...{ id: null, createdAt: null, customerId: null, giftId: null, tierId: null },
  ...{ line: 0, email, isSubscribed: false, expiryAt: null, isOfKnown: true },
});

/** An empty cell says nothing. */
export const asAddition = (line: CheckedLine, labels: readonly string[]): CheckedLine => ({
  ...line,
  name: line.name ?? undefined,
  note: line.note ?? undefined,
  status: line.status === 'free' ? undefined : line.status,
  labels: [...(line.labels ?? []), ...labels],
});

export type MemberCheck = (
  lines: readonly CsvLine[],
) => Promise<readonly (CheckedLine | Problem)[]>;

export const createMemberCheck = async (from: Queryable, nowMs: number): Promise<MemberCheck> => {
  const tiers = (await listTiers(from)).toSorted(
    (a, b) => Number(b.type === 'paid') - Number(a.type === 'paid') || b.active - a.active,
  );
  const claimed = new Map<string, string>();
  return async (raw) => {
    const lines = raw.map((line) => parseMemberLine(line, nowMs));
    const taken = lines.filter((line): line is MemberLine => !('reason' in line));
    const claims = await readClaims(from, taken);
    const emails = taken.map(({ email }) => email);
    const known = await readMembers(from, emails);
    return lines.map((line) => {
      const judged = 'reason' in line ? line : judge({ tiers, claims, claimed }, line);
      const stored = 'reason' in judged ? undefined : known.get(foldEmail(judged.email));
      if ('reason' in judged || stored === undefined) return judged;
      const savedAt = String(stored.updated_at);
      const isAhead = (parseStoredTime(savedAt) ?? 0) > nowMs;
      return { ...judged, wasKnown: true, ...(isAhead && { savedAhead: savedAt }) };
    });
  };
};

type Claims = {
  /** Folded address of the member that has the customer. */
  readonly customers: ReadonlyMap<string, string>;
  readonly gifts: ReadonlyMap<string, Row>;
  /** Of the gift that is redeemed already. */
  readonly redeemers: ReadonlyMap<string, string | undefined>;
};

const readClaims = async (from: Queryable, lines: readonly MemberLine[]): Promise<Claims> => {
  const find = (table: TableName, by: string, values: readonly string[]): Promise<Row[]> =>
    findRows(from, { table, by, values: [...new Set(values)] });
  const customers = await find(
    'customers',
    'customer_id',
    lines.flatMap(({ customerId }) => customerId ?? []),
  );
  const gifts = await find(
    'gifts',
    'id',
    lines.flatMap(({ giftId }) => giftId ?? []),
  );
  const ids = [
    ...customers.map((row) => row.member_id),
    ...gifts.map((row) => row.redeemer_member_id),
  ];
  const holders = await find(
    'members',
    'id',
    ids.filter((id) => typeof id === 'string'),
  );
  const emails = new Map(holders.map((row) => [row.id, foldEmail(String(row.email))]));
  return {
    customers: new Map(
      customers.map((row) => [String(row.customer_id), emails.get(row.member_id ?? null) ?? '']),
    ),
    gifts: new Map(gifts.map((row) => [String(row.id), row])),
    redeemers: new Map(
      gifts.map((row) => [String(row.id), emails.get(row.redeemer_member_id ?? null)]),
    ),
  };
};

type Judging = {
  readonly tiers: readonly TierRow[];
  readonly claims: Claims;
  /** Customers and gifts of earlier lines, with the folded address. */
  readonly claimed: Map<string, string>;
};

const judge = (judging: Judging, { tiers: names, ...line }: MemberLine): CheckedLine | Problem => {
  const problem = findClaimProblem(judging, line);
  if (problem !== null) return problem;
  const found = names?.map((name) => findNamed(judging.tiers, name)) ?? [];
  if (found.includes(undefined))
    return { field: 'tiers', reason: 'names a tier that does not exist' };
  const [named = null] = found;
  const gift = line.giftId === null ? undefined : judging.claims.gifts.get(line.giftId);
  if (gift !== undefined) {
    return {
      ...line,
      tierId: String(gift.tier_id),
      expiryAt: (gift.consumes_at ?? null) as string | null,
    };
  }
  const tier = named ?? (line.status === 'comped' ? findCheapest(judging.tiers) : null);
  return tier === undefined
    ? { field: 'complimentary_plan', reason: 'needs a paid tier, and none is active' }
    : { ...line, tierId: tier?.id ?? null, expiryAt: null };
};

/** A customer and a gift belong to one member alone. */
const findClaimProblem = (
  { claims, claimed }: Judging,
  { email, customerId, giftId }: Pick<MemberLine, 'email' | 'customerId' | 'giftId'>,
): Problem | null => {
  const own = foldEmail(email);
  const isForeign = (name: string, holder: string | undefined): boolean => {
    const first = claimed.get(name) ?? holder ?? own;
    claimed.set(name, first);
    return first !== own;
  };
  if (
    customerId !== null &&
    isForeign(`customer ${customerId}`, claims.customers.get(customerId))
  ) {
    return { field: 'stripe_customer_id', reason: 'belongs to another member' };
  }
  if (giftId === null) return null;
  if (claims.gifts.get(giftId)?.status !== 'redeemed')
    return { field: 'gift_id', reason: 'names no redeemed gift' };
  return isForeign(`gift ${giftId}`, claims.redeemers.get(giftId))
    ? { field: 'gift_id', reason: 'names the gift of another member' }
    : null;
};

/** In any case of letters, as Ghost finds it; paid ones come first, of these the active ones. */
const findNamed = (tiers: readonly TierRow[], name: string): TierRow | undefined =>
  tiers.find((tier) => tier.name === name) ??
  tiers.find((tier) => tier.name.toLowerCase() === name.toLowerCase());

/** That which Ghost takes for a complimentary plan without a name. */
const findCheapest = (tiers: readonly TierRow[]): TierRow | undefined =>
  tiers
    .filter(({ active, type }) => active === 1 && type === 'paid')
    .toSorted((a, b) => (a.monthly_price ?? Infinity) - (b.monthly_price ?? Infinity) || 0)[0];
