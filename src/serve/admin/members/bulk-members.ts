// Edits and deletes members in bulk (facts 6.1): which ones a filter or a search chooses, or all of them. They are chosen
// first; then publication/store/members/bulk-jobs.ts changes them in small parts. The change log marks them as one bulk action, which speaks
// only through site.changed.
import * as z from 'zod';
import { invalid } from '../../../base/errors.ts';
import { createId } from '../../../base/ids.ts';
import { parseStoredTime } from '../../../base/time.ts';
import { findRows } from '../../../publication/store/import/import-rows.ts';
import { listAmong } from '../../../publication/store/list-source.ts';
import {
  actionOf,
  KEPT_LINES_MAX,
  keepJob,
  type LineWork,
  listUnfinishedJobs,
} from '../../../publication/store/members/bulk-jobs.ts';
import { findLabelById } from '../../../publication/store/members/labels.ts';
import {
  deleteChosen,
  labelChosen,
  listChosen,
  listSubscribed,
  type Selection,
  subscribeChosen,
  unlabelChosen,
  unsubscribeChosen,
} from '../../../publication/store/members/member-bulk.ts';
import { MEMBER_LIST } from '../../../publication/store/members/members.ts';
import { listNewsletters } from '../../../publication/store/members/newsletters.ts';
import type { Store, Transaction } from '../../../publication/store/store.ts';
import type { MembersBulkInput } from '../../contract/input/member-input.ts';
import { type ListParameters, readSelection } from '../list-query.ts';
import { saveContent } from '../save-content.ts';
import { findKnownLabel, resolveLabel } from './member-relations.ts';

type Asked = Pick<ListParameters, 'filter' | 'search'>;
type Chosen = Asked & { readonly all?: string | undefined };
export type Selected = Selection & { readonly asked: Asked };

/** Throws VALIDATION unless it says plainly which members are meant, BAD_REQUEST for a filter that cannot be read. */
export const selectMembers = ({ all, filter, search }: Chosen, nowMs: number): Selected => {
  const asked = { filter, search };
  const selection = readSelection(asked, nowMs);
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
  return { ...selection, asked };
};

type BulkContext = { readonly store: Store; readonly nowMs: number };

const edits = [
  z.object({ does: z.literal('unsubscribe'), newsletterId: z.string().nullable() }),
  z.object({ does: z.literal('removeLabel'), labelId: z.string() }),
  z.object({
    does: z.literal('addLabel'),
    labelId: z.string(),
    labelName: z.string().optional(),
  }),
] as const;
type Edit = z.output<(typeof edits)[number]>;

/** What the members were chosen by; absent of work that an earlier version planned. */
const asked = z.object({ filter: z.string().optional(), search: z.string().optional() }).optional();

/** What is done with each member, as the journal keeps it. */
export const bulkChange = z
  .union([
    ...edits,
    z.object({ does: z.literal('subscribe'), newsletterId: z.string() }),
    z.object({ does: z.literal('delete') }),
  ])
  .and(z.object({ nowMs: z.number(), sinceMs: z.number().default(0), asked }));
export type BulkChange = z.output<typeof bulkChange>;

/** The earliest time that saves of members can have which the selection does not know of yet. */
const findSince = async ({ store, nowMs }: BulkContext): Promise<number> =>
  Math.min(nowMs, ...(await listUnfinishedJobs(store)).map((job) => job.created_at));

/** Answers the id of the work. Throws VALIDATION, SOURCE_FOLLOWED. */
export const planBulkEdit = async (
  context: BulkContext,
  { asked, ...selection }: Selected,
  input: MembersBulkInput,
): Promise<string> => {
  const { store, nowMs } = context;
  const id = createId(nowMs);
  const sinceMs = await findSince(context);
  const ids = await listChosen(store, selection);
  const edit = await saveContent({ store, action: actionOf(id) }, nowMs, (tx) =>
    planEdit(tx, input, nowMs),
  );
  const change: BulkChange = { ...edit, nowMs, sinceMs, asked };
  const report = { action: input.action };
  await keepJob(store, { id, kind: 'edit', change, report, nowMs }, batchesOf(ids));
  return id;
};

/** Answers the id of the work. */
export const planBulkDelete = async (
  context: BulkContext,
  { asked, ...selection }: Selected,
): Promise<string> => {
  const { store, nowMs } = context;
  const id = createId(nowMs);
  const sinceMs = await findSince(context);
  const ids = await listChosen(store, selection);
  const change: BulkChange = { does: 'delete', nowMs, sinceMs, asked };
  await keepJob(store, { id, kind: 'delete', change, report: {}, nowMs }, batchesOf(ids));
  return id;
};

/** Subscribes everybody who has a newsletter to one more. Answers the id of the work. */
export const planBulkSubscribe = async (
  { store, nowMs }: BulkContext,
  newsletterId: string,
): Promise<string> => {
  const id = createId(nowMs);
  const change: BulkChange = { does: 'subscribe', newsletterId, nowMs, sinceMs: nowMs };
  const report = { action: 'subscribe' };
  const ids = await listSubscribed(store);
  await keepJob(store, { id, kind: 'edit', change, report, nowMs }, batchesOf(ids));
  return id;
};

/**
 * Counts as `passed` those who were saved since and are no longer chosen. Others are changed even where the label that
 * chose them was deleted; and who was to get no more mail gets none.
 */
export const bulkWork =
  (change: BulkChange): LineWork =>
  async (tx, chunks) => {
    const query = readSelection(change.asked ?? {}, change.nowMs);
    const isAsked = change.does !== 'unsubscribe';
    let passed = 0;
    for (const chunk of chunks) {
      const chosen = new Set(await listAmong(tx, MEMBER_LIST, { query, ids: chunk }));
      const columns = ['id', 'updated_at'];
      const present = await findRows(tx, { table: 'members', columns, by: 'id', values: chunk });
      const ids = present.flatMap(({ id, updated_at }) => {
        const isSaved = (parseStoredTime(updated_at) ?? 0) >= change.sinceMs;
        return isAsked && isSaved && !chosen.has(String(id)) ? [] : [String(id)];
      });
      passed += present.length - ids.length;
      if (change.does === 'delete') await deleteChosen(tx, ids);
      else if (change.does === 'subscribe') await subscribeChosen(tx, ids, change);
      else if (change.does === 'unsubscribe') await unsubscribeChosen(tx, ids, change);
      else if (change.does === 'addLabel') await labelChosen(tx, ids, change);
      else await unlabelChosen(tx, ids, change);
    }
    return { passed };
  };

function* batchesOf(ids: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < ids.length; at += KEPT_LINES_MAX) {
    yield ids.slice(at, at + KEPT_LINES_MAX);
  }
}

const planEdit = async (
  tx: Transaction,
  { action, meta, newsletter }: MembersBulkInput,
  nowMs: number,
): Promise<Edit> => {
  if (action === 'unsubscribe') {
    const newsletterId = newsletter ?? meta?.newsletter ?? null;
    const isKnown = async () => (await listNewsletters(tx)).some(({ id }) => id === newsletterId);
    if (newsletterId !== null && !(await isKnown())) {
      const sentence = `newsletter names a newsletter that does not exist: ${newsletterId}.`;
      throw invalid('newsletter', sentence);
    }
    return { does: 'unsubscribe', newsletterId };
  }
  const label = meta?.label;
  if (label == null) throw invalid('meta', `${action} needs meta.label.`);
  const unknown = `meta.label names a label that does not exist: ${JSON.stringify(label)}`;
  if (action === 'removeLabel') {
    const known = await findKnownLabel(tx, label);
    if (known === null) throw invalid('meta', `${unknown}.`);
    return { does: 'removeLabel', labelId: known };
  }
  const labelId = await resolveLabel(tx, label, nowMs);
  if (labelId === null) throw invalid('meta', `${unknown}, and no name for a new one.`);
  return { does: 'addLabel', labelId, labelName: (await findLabelById(tx, labelId))?.name };
};
