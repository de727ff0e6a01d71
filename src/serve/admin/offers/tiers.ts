// Tiers: create, edit, archive. There is no payment processor here: prices are kept and shown, and nobody pays them. A
// tier that is made is a paid one; the free tier can be named and described, and has neither price nor trial.
import { invalid, notFound } from '../../../base/errors.ts';
import { createId } from '../../../base/ids.ts';
import { toStoredTime } from '../../../base/time.ts';
import {
  type BenefitNames,
  replaceBenefits,
} from '../../../publication/store/members/tier-benefits.ts';
import {
  findTier,
  insertTier,
  type TierRow,
  updateTier,
} from '../../../publication/store/members/tiers.ts';
import type { Transaction } from '../../../publication/store/store.ts';
import type { TierCreateInput, TierEditInput } from '../../contract/input/tier-input.ts';
import { changedColumns, nextUpdate } from '../changed-columns.ts';
import { saveContent } from '../save-content.ts';
import { editedSlug, freeSlug } from '../slugs.ts';
import type { WriteContext } from '../use-case-context.ts';

/** Answers the new tier's id. Throws VALIDATION. */
export const createTier = (
  { store, clock }: WriteContext,
  input: TierCreateInput,
): Promise<string> => {
  const nowMs = clock.now();
  const id = createId(nowMs);
  const at = toStoredTime(nowMs);
  if (input.type === 'free') {
    throw invalid(
      'type',
      'type must be paid: a publication has one free tier, which it is made with.',
    );
  }
  const row = { ...NEW_TIER, ...columnsOf(input) };
  refusePrices({ ...row, type: 'paid' });
  return saveContent({ store }, nowMs, async (tx) => {
    const slug = await freeSlug(tx, 'tiers', {
      text: input.slug ?? input.name,
      exceptId: null,
    });
    const own = { id, name: input.name, slug, created_at: at, updated_at: at };
    await insertTier(tx, { ...row, ...own });
    await saveBenefits(tx, { id, nowMs }, input.benefits);
    return id;
  });
};

/** The visibility and the prices are Ghost's for a tier that leaves one out. */
const NEW_TIER = {
  visibility: 'public',
  description: null,
  welcome_page_url: null,
  currency: null,
  monthly_price: 500,
  yearly_price: 5000,
  monthly_price_id: null,
  yearly_price_id: null,
  trial_days: 0,
  active: 1,
};

/** Throws NOT_FOUND, VALIDATION. */
export const editTier = async (
  { store, clock }: WriteContext,
  id: string,
  input: TierEditInput,
): Promise<void> => {
  const nowMs = clock.now();
  await saveContent({ store }, nowMs, async (tx) => {
    const stored = await findTier(tx, id);
    if (stored === undefined) throw notFound('Tier');
    if (input.type !== undefined && input.type !== stored.type) {
      throw invalid('type', `type cannot be changed: the tier is ${stored.type}.`);
    }
    // Shown in capitals, however it is stored.
    const shown = { ...stored, currency: stored.currency?.toUpperCase() ?? null };
    const changes = changedColumns<TierRow>(shown, {
      ...columnsOf(input),
      name: input.name,
      ...(await editedSlug(tx, 'tiers', { stored, wanted: input.slug })),
    });
    // Prices that another program stored are not looked at while they stay.
    if (PRICED.some((name) => name in changes)) refusePrices({ ...stored, ...changes });
    const hasNewBenefits = await saveBenefits(tx, { id, nowMs }, input.benefits);
    if (Object.keys(changes).length === 0 && !hasNewBenefits) return;
    const updated_at = nextUpdate(stored.updated_at, nowMs);
    await updateTier(tx, id, { ...changes, updated_at });
  });
};

const PRICED = ['currency', 'monthly_price', 'yearly_price', 'trial_days'] as const;
type Priced = Pick<TierRow, (typeof PRICED)[number] | 'type'>;

/** Columns that the payload sets, without name, slug and type. A price of nothing sets none, as in Ghost. */
const columnsOf = (input: TierEditInput): Partial<TierRow> => {
  const columns: Partial<TierRow> = {};
  const { description, welcome_page_url, visibility, currency } = input;
  if (description !== undefined) columns.description = description;
  if (welcome_page_url !== undefined) columns.welcome_page_url = welcome_page_url;
  if (visibility !== undefined) columns.visibility = visibility;
  if (currency) columns.currency = currency;
  if (input.monthly_price) columns.monthly_price = input.monthly_price;
  if (input.yearly_price) columns.yearly_price = input.yearly_price;
  if (input.trial_days !== undefined) columns.trial_days = input.trial_days ?? 0;
  if (input.active !== undefined) columns.active = Number(input.active);
  return columns;
};

const refusePrices = (tier: Priced): void => {
  if (tier.type !== 'free') {
    if (tier.currency !== null) return;
    throw invalid('currency', 'currency is required for a paid tier.');
  }
  for (const name of ['currency', 'monthly_price', 'yearly_price'] as const) {
    if (tier[name] === null) continue;
    throw invalid(name, `${name} must be null: the free tier has no price.`);
  }
  if (tier.trial_days !== 0) {
    throw invalid('trial_days', 'trial_days must be 0: the free tier has no trial.');
  }
};

/** True when the benefits changed; undefined and null leave them. */
const saveBenefits = async (
  tx: Transaction,
  { id, nowMs }: { readonly id: string; readonly nowMs: number },
  benefits: BenefitNames | null | undefined,
): Promise<boolean> => {
  if (!benefits) return false;
  const names = [...new Set(benefits)];
  const slugFor = (name: string): Promise<string> => freeSlug(tx, 'benefits', { text: name });
  return replaceBenefits(tx, { tierId: id, names, nowMs }, slugFor);
};
