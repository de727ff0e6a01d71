// Writes members of a CSV, some hundred at a time: reads what the publication has of them in a few queries, and changes
// what differs.
import { randomBytes, randomUUID } from 'node:crypto';
import { createId, deriveId } from '../base/ids.ts';
import { toStoredTime } from '../base/time.ts';
import { insertRows, type Row, type TableName, updateRow } from '../store/import-rows.ts';
import { replaceLabels, replaceNewsletters, replaceTier } from '../store/member-links.ts';
import { listNewsletters, type NewsletterRow } from '../store/newsletters.ts';
import type { Writer } from '../store/store.ts';
import { listTiers, type TierRow } from '../store/tiers.ts';
import type { ReportBuilder } from './import-report.ts';
import { foldEmail, type Known, readKnown } from './known-members.ts';
import { type LabelBook, openLabelBook } from './label-book.ts';
import type { MemberLine } from './members-csv-line.ts';

type WriterInput = {
  readonly writer: Writer;
  readonly report: ReportBuilder;
  readonly nowMs: number;
  /** Labels are added to those of a known member, who is unsubscribed only. */
  readonly merges: boolean;
};

type Context = WriterInput & {
  readonly labels: LabelBook;
  readonly tiers: readonly TierRow[];
  readonly newsletters: readonly NewsletterRow[];
};

export type MemberWriter = {
  /** No two lines of all calls have the same address. */
  readonly write: (lines: readonly MemberLine[]) => Promise<void>;
};

export const createMemberWriter = async (input: WriterInput): Promise<MemberWriter> => {
  const { writer, report } = input;
  const context: Context = {
    ...input,
    labels: await openLabelBook(input),
    tiers: await listTiers(writer),
    newsletters: await listNewsletters(writer),
  };
  return {
    write: async (lines) => {
      const known = await readKnown(writer, lines);
      const added = lines.filter(({ email }) => !known.members.has(foldEmail(email)));
      await addMembers(context, known, added);
      for (const line of lines) {
        const stored = known.members.get(foldEmail(line.email));
        if (stored === undefined) continue;
        const isChanged = await changeMember(context, known, { line, stored });
        report.count('members', isChanged ? 'changed' : 'unchanged');
      }
    },
  };
};

const addMembers = async (
  context: Context,
  known: Known,
  lines: readonly MemberLine[],
): Promise<void> => {
  const { writer, report, nowMs } = context;
  const rows = new Map<TableName, Row[]>();
  const add = (table: TableName, row: Row): void => {
    const list = rows.get(table) ?? [];
    list.push(row);
    rows.set(table, list);
  };
  for (const line of lines) {
    const id = line.id !== null && !known.takenIds.has(line.id) ? line.id : createId(nowMs);
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
    const tier = findTier(context, line);
    if (tier !== null) {
      const link = { member_id: id, tier_id: tier };
      add('members_tiers', { id: idOf('members_tiers'), ...link });
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
  for (const [table, list] of rows) await insertRows(writer, table, list);
  report.count('members', 'added', lines.length);
};

type NewMember = {
  readonly id: string;
  readonly createdAt: string;
  readonly known: Known;
  readonly nowMs: number;
};

const newMember = (line: MemberLine, { id, createdAt, known, nowMs }: NewMember): Row => ({
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

const isDefault = ({ status, subscribe_on_signup, visibility }: NewsletterRow): boolean =>
  status === 'active' && subscribe_on_signup === 1 && visibility === 'members';

/** The first tier that the line names; of a complimentary plan without a name, the first paid one, as in Ghost. */
const findTier = ({ tiers, report }: Context, line: MemberLine): string | null => {
  const [name] = line.tiers ?? [];
  if (name === undefined) {
    if (line.status !== 'comped') return null;
    return tiers.find(({ type, active }) => type === 'paid' && active === 1)?.id ?? null;
  }
  const tier = tiers.find((one) => one.name === name);
  if (tier === undefined) report.remark('tierUnknown', `line ${line.line}`);
  return tier?.id ?? null;
};

type OfMember = { readonly line: MemberLine; readonly memberId: string };

/** A row to add, or null. */
const customerOf = (
  { report, nowMs }: Context,
  { customers }: Known,
  { line, memberId }: OfMember,
): Row | null => {
  const { customerId } = line;
  if (customerId === null) return null;
  const holder = customers.get(customerId);
  if (holder !== undefined) {
    if (holder !== memberId) report.remark('customerTaken', `line ${line.line}`);
    return null;
  }
  return {
    id: deriveId('customers', customerId),
    member_id: memberId,
    customer_id: customerId,
    name: line.name ?? null,
    email: line.email,
    created_at: toStoredTime(nowMs),
  };
};

type Stored = { readonly line: MemberLine; readonly stored: Row };

/** True when anything differed. */
/** Values of the member's own columns that the line has otherwise. */
const changedValues = (
  line: MemberLine,
  stored: Stored['stored'],
  keepsPlan: boolean,
): Record<string, string | null> => {
  const wanted: Record<string, string | null | undefined> = {
    email: line.email,
    name: line.name,
    note: line.note,
    created_at: line.createdAt ?? undefined,
    status: keepsPlan ? undefined : line.status,
  };
  return Object.fromEntries(
    Object.entries(wanted).filter(
      (entry): entry is [string, string | null] =>
        entry[1] !== undefined && entry[1] !== stored[entry[0]],
    ),
  );
};

/** True when the member has other labels now. */
const changeLabels = async (
  context: Context,
  known: Known,
  { line, memberId }: { readonly line: MemberLine; readonly memberId: string },
): Promise<boolean> => {
  if (line.labels === undefined) return false;
  const present = inOrder(known.labels.get(memberId) ?? []).map((row) => String(row.label_id));
  const named = await context.labels.resolve(line.labels);
  const labels = context.merges ? [...new Set([...present, ...named])] : named;
  const isSame = present.length === labels.length && labels.every((id) => present.includes(id));
  const target = { memberId, nowMs: context.nowMs };
  return isSame ? false : replaceLabels(context.writer, target, labels);
};

const changeMember = async (
  context: Context,
  known: Known,
  { line, stored }: Stored,
): Promise<boolean> => {
  const { writer, nowMs } = context;
  const memberId = String(stored.id);
  const target = { memberId, nowMs };
  const keepsPlan = line.status === undefined || known.paying.has(memberId);
  const values = changedValues(line, stored, keepsPlan);
  let isChanged = Object.keys(values).length > 0;
  isChanged = (await changeLabels(context, known, { line, memberId })) || isChanged;
  const newsletters = newslettersAfter(context, known, { line, memberId });
  if (newsletters !== null) {
    const options = { ...target, source: 'import' as const };
    isChanged = (await replaceNewsletters(writer, options, newsletters)) || isChanged;
  }
  if (!keepsPlan) isChanged = (await changeTier(context, known, { line, memberId })) || isChanged;
  const customer = customerOf(context, known, { line, memberId });
  if (customer !== null) await insertRows(writer, 'customers', [customer]);
  isChanged ||= customer !== null;
  if (isChanged) {
    const changes = { ...values, updated_at: toStoredTime(nowMs) };
    await updateRow(writer, { table: 'members', id: memberId, values: changes });
  }
  return isChanged;
};

const inOrder = (links: readonly Row[]): Row[] =>
  [...links].sort((a, b) => Number(a.sort_order) - Number(b.sort_order));

/** Null when they stay: the file says only whether there are any. Archived ones stay until all end. */
const newslettersAfter = (
  { newsletters, merges }: Context,
  known: Known,
  { line, memberId }: OfMember,
): string[] | null => {
  if (line.isSubscribed === undefined || (merges && line.isSubscribed)) return null;
  const present = (known.newsletters.get(memberId) ?? []).map((row) => String(row.newsletter_id));
  if (!line.isSubscribed) return present.length === 0 ? null : [];
  return present.length > 0 ? null : newsletters.filter(isDefault).map(({ id }) => id);
};

const changeTier = async (
  context: Context,
  known: Known,
  { line, memberId }: OfMember,
): Promise<boolean> => {
  const held = known.tiers.get(memberId) ?? [];
  const tierId = findTier(context, line);
  const [only] = held;
  const isSame =
    tierId === null ? held.length === 0 : held.length === 1 && only?.tier_id === tierId;
  // A tier that is not known here says nothing.
  if (isSame || (tierId === null && line.status !== 'free')) return false;
  const link = held.find((row) => row.tier_id === tierId);
  const expiryAt = (link?.expiry_at ?? null) as string | null;
  const wanted = tierId === null ? null : { tierId, expiryAt };
  await replaceTier(context.writer, { memberId, nowMs: context.nowMs }, wanted);
  return true;
};
