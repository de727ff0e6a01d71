// Edits and deletes members in bulk (facts 6.1): which ones a filter or a search chooses, or all of them. Each is one
// transaction, which the change log marks as bulk: it speaks only through site.changed.
import { createId } from '../base/ids.ts';
import type { MembersBulkInput } from '../contract/admin/member-input.ts';
import { refuseWhileFollowing } from '../store/following.ts';
import {
  deleteChosen,
  labelChosen,
  type Selection,
  unlabelChosen,
  unsubscribeChosen,
  withChosen,
} from '../store/member-bulk.ts';
import { listNewsletters } from '../store/newsletters.ts';
import type { Store, Writer } from '../store/store.ts';
import { invalid } from './invalid.ts';
import { type ListParameters, readSelection } from './list-query.ts';
import { findKnownLabel, resolveLabels } from './member-relations.ts';

type Chosen = Pick<ListParameters, 'filter' | 'search'> & { readonly all?: string | undefined };

/** Throws VALIDATION unless it says plainly which members are meant, BAD_REQUEST for a filter that cannot be read. */
export const selectMembers = ({ all, ...parameters }: Chosen, nowMs: number): Selection => {
  const selection = readSelection(parameters, nowMs);
  const isNarrowed = selection.filter !== null || selection.search !== null;
  if (all === 'true' && isNarrowed) {
    throw invalid('all', 'Send either all=true or a filter or search. Nothing was changed.');
  }
  if (all !== 'true' && !isNarrowed) {
    throw invalid(
      'filter',
      'Name the members by filter or search, or send all=true for all of them.',
    );
  }
  return selection;
};

type BulkContext = { readonly store: Store; readonly nowMs: number };

/** Answers how many members were chosen. Throws VALIDATION, SOURCE_FOLLOWED. */
export const editMembersInBulk = (
  context: BulkContext,
  selection: Selection,
  input: MembersBulkInput,
): Promise<number> =>
  saveInBulk(context, async (writer) => {
    const change = await planChange(writer, input, context.nowMs);
    return withChosen(writer, selection, change);
  });

/** Answers how many members were deleted. Throws SOURCE_FOLLOWED. */
export const deleteMembersInBulk = (context: BulkContext, selection: Selection): Promise<number> =>
  saveInBulk(context, (writer) => withChosen(writer, selection, () => deleteChosen(writer)));

const saveInBulk = (
  { store, nowMs }: BulkContext,
  save: (writer: Writer) => Promise<number>,
): Promise<number> =>
  store.write(
    async (writer) => {
      await refuseWhileFollowing(writer);
      return save(writer);
    },
    { action: `bulk:${createId(nowMs)}` },
  );

const planChange = async (
  writer: Writer,
  { action, meta, newsletter }: MembersBulkInput,
  nowMs: number,
): Promise<() => Promise<void>> => {
  if (action === 'unsubscribe') {
    const newsletterId = newsletter ?? meta?.newsletter ?? null;
    const isKnown = async () =>
      (await listNewsletters(writer)).some(({ id }) => id === newsletterId);
    if (newsletterId !== null && !(await isKnown())) {
      throw invalid('newsletter', 'newsletter names a newsletter that does not exist.');
    }
    return () => unsubscribeChosen(writer, { newsletterId, nowMs });
  }
  const label = meta?.label;
  if (label == null) throw invalid('meta', `${action} needs meta.label.`);
  if (action === 'removeLabel') {
    const known = await findKnownLabel(writer, label);
    if (known === null) throw invalid('meta', 'meta.label names a label that does not exist.');
    return () => unlabelChosen(writer, { labelId: known, nowMs });
  }
  const [labelId] = await resolveLabels(writer, [label], nowMs);
  if (labelId === undefined) {
    throw invalid(
      'meta',
      'meta.label names a label that does not exist, and no name for a new one.',
    );
  }
  return () => labelChosen(writer, { labelId, nowMs });
};
