// The benefits that a tier names, in their order. Benefits of one name are one row, whichever tiers have them.
import { addTo } from '../../../base/group-by.ts';
import { createId } from '../../../base/ids.ts';
import { toStoredTime } from '../../../base/time.ts';
import { db, type Queryable, type Transaction } from '../db.ts';

export type BenefitNames = readonly string[];

/** Names of the benefits of each tier, in their order. */
export const benefitsOfTiers = async (from: Queryable): Promise<Map<string, string[]>> => {
  const rows = await db(from)
    .selectFrom('tiers_benefits')
    .innerJoin('benefits', 'benefits.id', 'tiers_benefits.benefit_id')
    .select(['tiers_benefits.tier_id', 'benefits.name'])
    .orderBy('tiers_benefits.sort_order')
    .orderBy('tiers_benefits.id')
    .execute();
  const benefits = new Map<string, string[]>();
  for (const { tier_id, name } of rows) addTo(benefits, tier_id, name);
  return benefits;
};

type Wanted = { readonly tierId: string; readonly names: BenefitNames; readonly nowMs: number };

/** Makes the tier's benefits exactly those; true when anything changed. `slugFor` makes the slug of a new one. */
export const replaceBenefits = async (
  tx: Transaction,
  { tierId, names, nowMs }: Wanted,
  slugFor: (name: string) => Promise<string>,
): Promise<boolean> => {
  const present = (await benefitsOfTiers(tx)).get(tierId) ?? [];
  const isSame = present.length === names.length && present.every((name, at) => name === names[at]);
  if (isSame) return false;
  await db(tx).deleteFrom('tiers_benefits').where('tier_id', '=', tierId).execute();
  for (const [sort_order, name] of names.entries()) {
    const benefit_id =
      (await findBenefit(tx, name)) ?? (await insertBenefit(tx, name, { slugFor, nowMs }));
    const link = { id: createId(nowMs), tier_id: tierId, benefit_id, sort_order };
    await db(tx).insertInto('tiers_benefits').values(link).execute();
  }
  return true;
};

const findBenefit = async (from: Queryable, name: string): Promise<string | undefined> => {
  const row = await db(from)
    .selectFrom('benefits')
    .select('id')
    .where('name', '=', name)
    .orderBy('id')
    .executeTakeFirst();
  return row?.id;
};

const insertBenefit = async (
  tx: Transaction,
  name: string,
  {
    slugFor,
    nowMs,
  }: { readonly slugFor: (name: string) => Promise<string>; readonly nowMs: number },
): Promise<string> => {
  const id = createId(nowMs);
  const at = toStoredTime(nowMs);
  const row = { id, name, slug: await slugFor(name), created_at: at, updated_at: at };
  await db(tx).insertInto('benefits').values(row).execute();
  return id;
};
