// Writes members of a CSV, some hundred at a time: reads what the publication has of them in a few queries, and changes
// what differs.

import { foldEmail } from '../../../base/text/email.ts';
import { parseStoredTime, toStoredTime } from '../../../base/time.ts';
import { insertRows, type Row, updateRow } from '../../store/import/import-rows.ts';
import { noteLeft, replaceNewsletters } from '../../store/members/member-links.ts';
import { isDefault, listNewsletters } from '../../store/members/newsletters.ts';
import { replaceLinks } from '../../store/ordered-links.ts';
import { addMembers } from './add-members.ts';
import { type CheckedLine, leavingLine } from './check-member-lines.ts';
import { type Known, readKnown } from './known-members.ts';
import { openLabelBook } from './label-book.ts';
import { planAfter, writePlan } from './member-plan.ts';
import {
  customerOf,
  type OfMember,
  type WriterContext,
  type WriterInput,
} from './writer-context.ts';

export type MemberWriter = {
  /** No two lines of all calls have the same address. */
  readonly write: (lines: readonly CheckedLine[]) => Promise<void>;
};

export const createMemberWriter = async (input: WriterInput): Promise<MemberWriter> => {
  const { tx, report } = input;
  const context: WriterContext = {
    ...input,
    labels: await openLabelBook(input),
    newsletters: await listNewsletters(tx),
  };
  return {
    write: async (all) => {
      const known = await readKnown(tx, all);
      const lines = standing(context, known, all);
      const added = lines.filter(
        ({ email, isOfKnown }) => isOfKnown !== true && !known.members.has(foldEmail(email)),
      );
      await addMembers(context, known, added);
      for (const line of lines) {
        const stored = known.members.get(foldEmail(line.email));
        if (stored === undefined) continue;
        const isChanged = await changeKnown(context, known, { line, stored });
        // A line that was skipped is counted as that.
        if (line.isOfKnown !== true) report.count('members', isChanged ? 'changed' : 'unchanged');
      }
    },
  };
};

/** Lines that still hold; what was done here since the file was judged comes before the others, but who left has left. */
const standing = (
  { report }: WriterContext,
  known: Known,
  lines: readonly CheckedLine[],
): CheckedLine[] =>
  lines.flatMap((line) => {
    const stored = known.members.get(foldEmail(line.email));
    const isGone = stored === undefined && line.wasKnown === true && line.isOfKnown !== true;
    if (!isGone && !isTaken(known, line, stored?.id)) return [line];
    report.count('members', 'skipped');
    report.remark(isGone ? 'goneHere' : 'takenHere', `line ${line.line}`);
    return isLeaving(line) ? [leavingLine(line.email)] : [];
  });

/** The customer or the gift is of another member. */
const isTaken = (
  { customers, gifts }: Known,
  { customerId, giftId }: CheckedLine,
  memberId: unknown,
): boolean =>
  [customers.get(customerId), gifts.get(giftId)].some(
    (holder) => holder != null && holder !== memberId,
  );

type Stored = { readonly line: CheckedLine; readonly stored: Row };

/** Values of the member's own columns that the line has otherwise. What is known stays unless the file replaces it. */
const changedValues = (
  replaces: boolean,
  { line, stored }: Stored,
  status: string | undefined,
): Record<string, string | null> => {
  const { email, name, note } = line;
  const wanted: Record<string, string | null | undefined> = {
    ...(replaces && { email }),
    ...((replaces || !stored.name) && { name }),
    ...((replaces || !stored.note) && { note }),
    status,
  };
  return Object.fromEntries(
    Object.entries(wanted).filter(
      (entry): entry is [string, string | null] =>
        entry[1] !== undefined && entry[1] !== stored[entry[0]],
    ),
  );
};

type Labels = { readonly present: readonly string[]; readonly wanted: readonly string[] };

/** Null when they stay. */
const labelsAfter = async (
  { labels, replaces }: WriterContext,
  known: Known,
  { line, memberId }: OfMember,
): Promise<Labels | null> => {
  if (line.labels === undefined) return null;
  const present = inOrder(known.labels.get(memberId) ?? []).map((row) => String(row.label_id));
  const named = await labels.resolve(line.labels);
  const wanted = replaces ? named : [...new Set([...present, ...named])];
  const isSame = present.length === wanted.length && wanted.every((id) => present.includes(id));
  return isSame ? null : { present, wanted };
};

/** Who was saved here since the file was judged stays so, but who left has left. */
const changeKnown = async (
  context: WriterContext,
  known: Known,
  { line, stored }: Stored,
): Promise<boolean> => {
  const { nowMs, report } = context;
  const savedAt = String(stored.updated_at);
  const isNewer = (parseStoredTime(savedAt) ?? 0) > nowMs && savedAt !== line.savedAhead;
  if (!isNewer) return changeMember(context, known, { line, stored });
  report.remark('savedHere', `members ${stored.id}`);
  return isLeaving(line) && changeMember(context, known, { line: leavingLine(line.email), stored });
};

const changeMember = async (
  context: WriterContext,
  known: Known,
  { line, stored }: Stored,
): Promise<boolean> => {
  const { tx, nowMs } = context;
  const memberId = String(stored.id);
  const target = { memberId, nowMs };
  const plan = planAfter(known, { line, stored, replaces: context.replaces });
  const values = changedValues(context.replaces, { line, stored }, plan?.status);
  const labels = await labelsAfter(context, known, { line, memberId });
  const newsletters = newslettersAfter(context, known, { line, memberId });
  countLosses(context, { values, labels, newsletters, isLowered: plan?.isLowered === true });
  let isChanged = Object.keys(values).length > 0;
  if (labels !== null)
    isChanged =
      (await replaceLinks(tx, { table: 'members_labels', of: memberId }, labels.wanted)) ||
      isChanged;
  isChanged = (await saveNewsletters(context, known, { line, memberId, newsletters })) || isChanged;
  if (plan !== null) isChanged = (await writePlan(tx, target, plan)) || isChanged;
  const customer = customerOf(context, known, { line, memberId });
  if (customer !== null) await insertRows(tx, 'customers', [customer]);
  isChanged ||= customer !== null;
  if (isChanged) {
    const changes = { ...values, updated_at: toStoredTime(nowMs) };
    await updateRow(tx, { table: 'members', id: memberId, values: changes });
  }
  return isChanged;
};

type NewslettersOfMember = OfMember & Pick<Change, 'newsletters'>;

/** Who leaves without any has left all that there may be. */
const saveNewsletters = async (
  context: WriterContext,
  known: Known,
  { line, memberId, newsletters }: NewslettersOfMember,
): Promise<boolean> => {
  const { tx, nowMs } = context;
  const target = { memberId, nowMs, source: 'import' } as const;
  const present = presentOf(known, memberId);
  const isFirstLeave = isLeaving(line) && !known.leavers.has(memberId);
  if (isFirstLeave && !isSubscribed(context, present) && !isAsExported(line, memberId, present))
    await noteLeft(tx, target, [null]);
  return newsletters !== null && (await replaceNewsletters(tx, target, newsletters));
};

/** Of a member who is unsubscribed: an export says so as well where archived newsletters are attached, which stay. */
const isAsExported = (line: CheckedLine, memberId: string, present: readonly string[]): boolean =>
  line.id === memberId && present.length > 0;

const isLeaving = ({ isSubscribed, isDoubtful }: CheckedLine): boolean =>
  isSubscribed === false && !isDoubtful;

type Change = {
  readonly values: Readonly<Record<string, string | null>>;
  readonly labels: Labels | null;
  readonly newsletters: readonly string[] | null;
  readonly isLowered: boolean;
};

const countLosses = (
  { losses }: WriterContext,
  { values, labels, newsletters, isLowered }: Change,
): void => {
  if (losses === undefined) return;
  const lostLabel = labels?.present.some((id) => !labels.wanted.includes(id)) === true;
  if (lostLabel || Object.values(values).includes(null)) losses.erased += 1;
  if (newsletters !== null && newsletters.length > 0) losses.subscribed += 1;
  if (isLowered) losses.lowered += 1;
};

const inOrder = (links: readonly Row[]): Row[] =>
  [...links].sort((a, b) => Number(a.sort_order) - Number(b.sort_order));

const presentOf = ({ newsletters }: Known, memberId: string): string[] =>
  (newsletters.get(memberId) ?? []).map((row) => String(row.newsletter_id));

const isSubscribed = ({ newsletters }: WriterContext, present: readonly string[]): boolean =>
  newsletters.some(({ id, status }) => status === 'active' && present.includes(id));

/** Null when they stay: the file says only whether there are any. Archived ones stay until all end. */
const newslettersAfter = (
  context: WriterContext,
  known: Known,
  { line, memberId }: OfMember,
): string[] | null => {
  if (line.isSubscribed === undefined || line.isDoubtful) return null;
  const present = presentOf(known, memberId);
  const gets = isSubscribed(context, present);
  if (!line.isSubscribed)
    return present.length === 0 || (!gets && isAsExported(line, memberId, present)) ? null : [];
  const wanted = context.newsletters.filter(isDefault).map(({ id }) => id);
  if (wanted.length === 0 || gets) return null;
  // Who leaves while the work runs was asked to stay by nobody.
  const { replaces, report, nowMs } = context;
  if (replaces && !((known.leavers.get(memberId) ?? nowMs) > nowMs)) return [...present, ...wanted];
  report.remark('leftHere', `members ${memberId}`);
  return null;
};
