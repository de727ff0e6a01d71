// Writes members of a CSV, some hundred at a time: reads what the publication has of them in a few queries, and changes
// what differs.

import { randomBytes, randomUUID } from 'node:crypto';
import { addTo } from '../../../base/group-by.ts';
import { createId, deriveId } from '../../../base/ids.ts';
import { foldEmail } from '../../../base/text/email.ts';
import { toStoredTime } from '../../../base/time.ts';
import { insertRows, type Row, type TableName, updateRow } from '../../store/import/import-rows.ts';
import { noteLeft, redeemGift, replaceNewsletters } from '../../store/members/member-links.ts';
import { isDefault, listNewsletters, type NewsletterRow } from '../../store/members/newsletters.ts';
import { replaceLinks } from '../../store/ordered-links.ts';
import type { Transaction } from '../../store/store.ts';
import type { ReportBuilder } from '../import-report.ts';
import type { CheckedLine } from './check-member-lines.ts';
import { type Known, readKnown } from './known-members.ts';
import { type LabelBook, openLabelBook } from './label-book.ts';
import { planAfter, writePlan } from './member-plan.ts';

type WriterInput = {
  readonly tx: Transaction;
  readonly report: ReportBuilder;
  readonly nowMs: number;
  /** The file replaces what is known of a member; otherwise labels are added, and a member is unsubscribed only. */
  readonly replaces: boolean;
  readonly losses?: Losses | undefined;
};

/** Numbers of known members. */
export type Losses = {
  /** Who lose a value or a label. */
  erased: number;
  /** Who get no newsletter, and would. */
  subscribed: number;
  /** Whose plan or tier ends. */
  lowered: number;
};

type Context = WriterInput & {
  readonly labels: LabelBook;
  readonly newsletters: readonly NewsletterRow[];
};

export type MemberWriter = {
  /** No two lines of all calls have the same address. */
  readonly write: (lines: readonly CheckedLine[]) => Promise<void>;
};

export const createMemberWriter = async (input: WriterInput): Promise<MemberWriter> => {
  const { tx, report } = input;
  const context: Context = {
    ...input,
    labels: await openLabelBook(input),
    newsletters: await listNewsletters(tx),
  };
  return {
    write: async (lines) => {
      const known = await readKnown(tx, lines);
      const absent = lines.filter(
        ({ email, isOfKnown }) => isOfKnown !== true && !known.members.has(foldEmail(email)),
      );
      const gone = absent.filter(({ wasKnown }) => wasKnown === true);
      for (const { line } of gone) report.remark('goneHere', `line ${line}`);
      report.count('members', 'skipped', gone.length);
      await addMembers(
        context,
        known,
        absent.filter(({ wasKnown }) => wasKnown !== true),
      );
      for (const line of lines) {
        const stored = known.members.get(foldEmail(line.email));
        if (stored === undefined) continue;
        const isChanged = await changeMember(context, known, { line, stored });
        // A line that was skipped is counted as that.
        if (line.isOfKnown !== true) report.count('members', isChanged ? 'changed' : 'unchanged');
      }
    },
  };
};

const addMembers = async (
  context: Context,
  known: Known,
  lines: readonly CheckedLine[],
): Promise<void> => {
  const { tx, report, nowMs } = context;
  const rows = new Map<TableName, Row[]>();
  const add = (table: TableName, row: Row): void => addTo(rows, table, row);
  const newcomers: OfMember[] = [];
  const taken = new Set(known.takenIds);
  for (const line of lines) {
    const id = line.id !== null && !taken.has(line.id) ? line.id : createId(nowMs);
    taken.add(id);
    newcomers.push({ line, memberId: id });
    const createdAt = line.createdAt ?? toStoredTime(nowMs);
    add('members', newMember(line, { id, createdAt, known, nowMs }));
    const idOf = (what: string): string => deriveId(what, id);
    for (const [index, label] of (await context.labels.resolve(line.labels ?? [])).entries()) {
      const link = { member_id: id, label_id: label, sort_order: index };
      add('members_labels', { id: idOf(`members_labels ${label}`), ...link });
    }
    const newsletters = line.isSubscribed === false ? [] : context.newsletters.filter(isDefault);
    for (const { id: newsletter } of newsletters) {
      const link = { member_id: id, newsletter_id: newsletter };
      add('members_newsletters', { id: idOf(`members_newsletters ${newsletter}`), ...link });
    }
    if (line.tierId !== null) {
      const link = { member_id: id, tier_id: line.tierId };
      add('members_tiers', { id: idOf('members_tiers'), ...link, expiry_at: line.expiryAt });
      const event = { ...link, action: 'added', created_at: createdAt };
      add('members_tier_events', { id: idOf('members_tier_events'), ...event });
    }
    const customer = customerOf(context, known, { line, memberId: id });
    if (customer !== null) add('customers', customer);
    add('members_created_events', {
      id: idOf('members_created_events'),
      created_at: createdAt,
      member_id: id,
      referrer_source: 'Imported',
      referrer_medium: 'Member Importer',
      source: 'import',
    });
  }
  for (const [table, list] of rows) await insertRows(tx, table, list);
  await noteNewcomers(context, newcomers);
  report.count('members', 'added', lines.length);
};

/** What a later import has to know: who wants no newsletter, and whose a gift is. */
const noteNewcomers = async (
  { tx, nowMs }: Context,
  newcomers: readonly OfMember[],
): Promise<void> => {
  const left = newcomers.filter(({ line }) => line.isSubscribed === false);
  const event = { subscribed: 0, source: 'import', created_at: toStoredTime(nowMs) };
  await insertRows(
    tx,
    'members_subscribe_events',
    left.map(({ memberId }) => ({ id: createId(nowMs), member_id: memberId, ...event })),
  );
  for (const { line, memberId } of newcomers) {
    if (line.giftId !== null) await redeemGift(tx, line.giftId, memberId);
  }
};

type NewMember = {
  readonly id: string;
  readonly createdAt: string;
  readonly known: Known;
  readonly nowMs: number;
};

const newMember = (line: CheckedLine, { id, createdAt, known, nowMs }: NewMember): Row => ({
  id,
  uuid: randomUUID(),
  transient_id: randomBytes(16).toString('hex'),
  email: line.email,
  status: line.status ?? 'free',
  name: line.name ?? null,
  note: line.note ?? null,
  email_disabled: Number(known.suppressed.has(foldEmail(line.email))),
  created_at: createdAt,
  updated_at: toStoredTime(nowMs),
});

type OfMember = { readonly line: CheckedLine; readonly memberId: string };

/** A row to add, or null. */
const customerOf = (
  { nowMs }: Context,
  { customers }: Known,
  { line, memberId }: OfMember,
): Row | null => {
  const { customerId } = line;
  if (customerId === null || customers.has(customerId)) return null;
  return {
    id: deriveId('customers', customerId),
    member_id: memberId,
    customer_id: customerId,
    name: line.name ?? null,
    email: line.email,
    created_at: toStoredTime(nowMs),
  };
};

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
  { labels, replaces }: Context,
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

const changeMember = async (
  context: Context,
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
  if (newsletters !== null) {
    const options = { ...target, source: 'import' as const };
    isChanged = (await replaceNewsletters(tx, options, newsletters)) || isChanged;
  } else if (isLeaving(line) && !known.leavers.has(memberId)) {
    await noteLeft(tx, { ...target, source: 'import' }, [null]);
  }
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

const isLeaving = ({ isSubscribed, isDoubtful }: CheckedLine): boolean =>
  isSubscribed === false && !isDoubtful;

type Change = {
  readonly values: Readonly<Record<string, string | null>>;
  readonly labels: Labels | null;
  readonly newsletters: readonly string[] | null;
  readonly isLowered: boolean;
};

const countLosses = (
  { losses }: Context,
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

/** Null when they stay: the file says only whether there are any. Archived ones stay until all end. */
const newslettersAfter = (
  { newsletters, replaces, report, nowMs }: Context,
  known: Known,
  { line, memberId }: OfMember,
): string[] | null => {
  if (line.isSubscribed === undefined || line.isDoubtful) return null;
  const present = (known.newsletters.get(memberId) ?? []).map((row) => String(row.newsletter_id));
  if (!line.isSubscribed) return present.length === 0 ? null : [];
  if (present.length > 0) return null;
  const wanted = newsletters.filter(isDefault).map(({ id }) => id);
  // Who leaves while the work runs was asked to stay by nobody.
  if (replaces && !((known.leavers.get(memberId) ?? nowMs) > nowMs)) return wanted;
  if (wanted.length > 0) report.remark('leftHere', `members ${memberId}`);
  return null;
};
