// Finds the labels, newsletters and tier that a member's payload names (facts 6.7): labels that do not
// exist are made, newsletters and tiers must exist.
import { invalid } from '../../../base/errors.ts';
import { toStoredTime } from '../../../base/time.ts';
import {
  findLabelById,
  findLabelByName,
  findLabelBySlug,
} from '../../../publication/store/members/labels.ts';
import { type TierLink, tierLinksOf } from '../../../publication/store/members/member-links.ts';
import {
  isDefault,
  listNewsletters,
  type NewsletterRow,
} from '../../../publication/store/members/newsletters.ts';
import { findTier } from '../../../publication/store/members/tiers.ts';
import type { Queryable, Transaction } from '../../../publication/store/store.ts';
import type { NameReference } from '../../contract/fields.ts';
import type { MemberEditInput } from '../../contract/input/member-input.ts';
import { insertNewLabel } from './new-label.ts';

/** Ids of the labels, in the order given, each once; empty names are left out. Throws VALIDATION for one that names none. */
export const resolveLabels = async (
  tx: Transaction,
  references: readonly NameReference[],
  nowMs: number,
): Promise<string[]> => {
  const ids = new Set<string>();
  for (const reference of references) {
    const id = await resolveLabel(tx, reference, nowMs);
    if (id !== null) ids.add(id);
    else if (typeof reference.name !== 'string') throw invalid('labels', namesNone(reference));
  }
  return [...ids];
};

const namesNone = ({ id, slug }: NameReference): string => {
  const given = id || slug;
  return given
    ? `labels names a label that does not exist: ${given}.`
    : 'labels holds a label without a name.';
};

/** Its id; it is made where it has a name, and else null stands for an unknown one. */
export const resolveLabel = async (
  tx: Transaction,
  reference: NameReference,
  nowMs: number,
): Promise<string | null> => {
  const known = await findKnownLabel(tx, reference);
  const name = nameOf(reference);
  if (known !== null || name === '') return known;
  return insertNewLabel(tx, { name, slug: name }, nowMs);
};

/** Its id, or null. */
export const findKnownLabel = async (
  from: Queryable,
  reference: NameReference,
): Promise<string | null> => {
  const { id, slug } = reference;
  const name = nameOf(reference);
  const known =
    (id ? await findLabelById(from, id) : undefined) ??
    (slug ? await findLabelBySlug(from, slug) : undefined) ??
    (name === '' ? undefined : await findLabelByName(from, name));
  return known?.id ?? null;
};

const nameOf = ({ name }: NameReference): string => (name ?? '').trim();

type Requested = Pick<MemberEditInput, 'newsletters' | 'subscribed'>;

/** Newsletters of a new member: those named, else those that a signup subscribes to. */
export const newslettersOfNew = async (
  from: Queryable,
  requested: Requested,
): Promise<string[]> => {
  const all = await listNewsletters(from);
  if (requested.newsletters) return knownIds(all, requested.newsletters);
  if (requested.subscribed === false) return [];
  return all.filter(isDefault).map(({ id }) => id);
};

/**
 * Newsletters after an edit, or null when they stay. Archived ones stay attached unless a subscribed
 * member is unsubscribed as a whole. Throws VALIDATION for an unknown one.
 */
export const newslettersAfterEdit = async (
  from: Queryable,
  requested: Requested,
  present: readonly string[],
): Promise<string[] | null> => {
  const all = await listNewsletters(from);
  const isActive = (id: string): boolean =>
    all.some((one) => one.id === id && one.status === 'active');
  if (requested.newsletters) {
    const archived = present.filter((id) => !isActive(id));
    return [...new Set([...knownIds(all, requested.newsletters), ...archived])];
  }
  const isSubscribed = present.some(isActive);
  if (requested.subscribed === false) return isSubscribed ? [] : null;
  if (requested.subscribed !== true || isSubscribed) return null;
  return [...present, ...all.filter(isDefault).map(({ id }) => id)];
};

const knownIds = (
  all: readonly NewsletterRow[],
  wanted: readonly { readonly id: string }[],
): string[] => {
  const ids = [...new Set(wanted.map(({ id }) => id))];
  const unknown = ids.find((id) => !all.some((one) => one.id === id));
  if (unknown === undefined) return ids;
  const sentence = `newsletters names a newsletter that does not exist: ${unknown}.`;
  throw invalid('newsletters', sentence);
};

/** The one tier of the payload, or null for none. Throws VALIDATION. */
export const resolveTier = async (
  from: Queryable,
  [wanted]: NonNullable<MemberEditInput['tiers']>,
  memberId: string | null,
): Promise<TierLink | null> => {
  if (wanted === undefined) return null;
  const held = memberId === null ? [] : await tierLinksOf(from, memberId);
  const link = held.find(({ tierId }) => tierId === wanted.id);
  const tier = await findTier(from, wanted.id);
  if (tier === undefined)
    throw invalid('tiers', `tiers names a tier that does not exist: ${wanted.id}.`);
  if (tier.active !== 1 && link === undefined) throw invalid('tiers', 'The tier is archived.');
  const { expiry_at: expiry } = wanted;
  if (expiry === undefined) return { tierId: tier.id, expiryAt: link?.expiryAt ?? null };
  return { tierId: tier.id, expiryAt: expiry === null ? null : toStoredTime(expiry) };
};
