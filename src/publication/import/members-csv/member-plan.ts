// The plan of a known member after a line of a members CSV: status, tier and gift. A plan that is not a free one is
// changed by a file that replaces alone, and never while the member pays.
import type { Row } from '../../store/import/import-rows.ts';
import { redeemGift, replaceTier } from '../../store/members/member-links.ts';
import type { Transaction } from '../../store/store.ts';
import type { CheckedLine } from './check-member-lines.ts';
import type { Known } from './known-members.ts';
import type { MemberStatus } from './members-csv-line.ts';

export type Plan = {
  readonly status: MemberStatus;
  /** Null when it stays. */
  readonly tier: { readonly id: string | null; readonly expiryAt: string | null } | null;
  /** To be marked as the member's. */
  readonly giftId: string | null;
  /** The member loses what it has. */
  readonly isLowered: boolean;
};

type Planning = {
  readonly line: CheckedLine;
  readonly stored: Row;
  readonly replaces: boolean;
};

/** Null when all of it stays. */
export const planAfter = (known: Known, { line, stored, replaces }: Planning): Plan | null => {
  const { status, tierId, expiryAt, giftId } = line;
  const memberId = String(stored.id);
  if (status === undefined || known.paying.has(memberId)) return null;
  const held = known.tiers.get(memberId) ?? [];
  const isFree = stored.status === 'free';
  if (!replaces && !isFree && (status !== stored.status || held.length > 0)) return null;
  const isSame = held.length === Number(tierId !== null) && (held[0]?.tier_id ?? null) === tierId;
  const losesTier = held.some(({ tier_id }) => tier_id !== tierId);
  const isLowered = !isFree && (losesTier || losesPlan(stored, status));
  return { status, tier: isSame ? null : { id: tierId, expiryAt }, giftId, isLowered };
};

const losesPlan = (stored: Row, status: MemberStatus): boolean =>
  status !== stored.status && status !== 'paid';

/** Whether tier or gift changed; the status is a column of the member. */
export const writePlan = async (
  tx: Transaction,
  target: { readonly memberId: string; readonly nowMs: number },
  { tier, giftId }: Plan,
): Promise<boolean> => {
  if (giftId !== null) await redeemGift(tx, giftId, target.memberId);
  if (tier === null) return false;
  const link = tier.id === null ? null : { tierId: tier.id, expiryAt: tier.expiryAt };
  await replaceTier(tx, target, link);
  return true;
};
