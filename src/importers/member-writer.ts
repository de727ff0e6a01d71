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
  /** The file replaces what is known of a member; otherwise labels are added, and a member is unsubscribed only. */
  readonly replaces: boolean;
  readonly losses?: Losses | undefined;
};

/** Numbers of known members. */
export type Losses = {
  /** Who lose a value or a label. */
  erased: number;
  /** Who had left and get newsletters again. */
  subscribed: number;
  /** Whose plan ends. */
  lowered: number;
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
const findTier = ({ tiers }: Context, line: MemberLine): string | null => {
  const [name] = line.tiers ?? [];
  if (name === undefined) {
    if (line.status !== 'comped') return null;
    return tiers.find(({ type, active }) => type === 'paid' && active === 1)?.id ?? null;
  }
  return tiers.find((one) => one.name === name)?.id ?? null;
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

/** Values of the member's own columns that the line has otherwise. */
const changedValues = (
  { line, stored }: Stored,
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

/** A plan that is not a free one ends by a file that replaces alone. */
const keepsPlanOf = ({ replaces }: Context, known: Known, { line, stored }: Stored): boolean =>
  line.status === undefined ||
  known.paying.has(String(stored.id)) ||
  (!replaces && stored.status !== 'free' && stored.status !== line.status);

const changeMember = async (
  context: Context,
  known: Known,
  { line, stored }: Stored,
): Promise<boolean> => {
  const { writer, nowMs } = context;
  const memberId = String(stored.id);
  const target = { memberId, nowMs };
  const keepsPlan = keepsPlanOf(context, known, { line, stored });
  const values = changedValues({ line, stored }, keepsPlan);
  const labels = await labelsAfter(context, known, { line, memberId });
  const newsletters = newslettersAfter(context, known, { line, memberId });
  countLosses(context, stored, { values, labels, newsletters });
  let isChanged = Object.keys(values).length > 0;
  if (labels !== null)
    isChanged = (await replaceLabels(writer, target, labels.wanted)) || isChanged;
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

type Change = {
  readonly values: Readonly<Record<string, string | null>>;
  readonly labels: Labels | null;
  readonly newsletters: readonly string[] | null;
};

const countLosses = (
  { losses }: Context,
  stored: Row,
  { values, labels, newsletters }: Change,
): void => {
  if (losses === undefined) return;
  const lostLabel = labels?.present.some((id) => !labels.wanted.includes(id)) === true;
  if (lostLabel || Object.values(values).includes(null)) losses.erased += 1;
  if (newsletters !== null && newsletters.length > 0) losses.subscribed += 1;
  if (values.status === 'free' && stored.status !== 'free') losses.lowered += 1;
};

const inOrder = (links: readonly Row[]): Row[] =>
  [...links].sort((a, b) => Number(a.sort_order) - Number(b.sort_order));

/** Null when they stay: the file says only whether there are any. Archived ones stay until all end. */
const newslettersAfter = (
  { newsletters, replaces }: Context,
  known: Known,
  { line, memberId }: OfMember,
): string[] | null => {
  if (line.isSubscribed === undefined || (line.isSubscribed && !replaces)) return null;
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
