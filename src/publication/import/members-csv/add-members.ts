// Members of a CSV whom the publication does not have yet.
import { randomBytes, randomUUID } from 'node:crypto';
import { addTo, groupBy } from '../../../base/group-by.ts';
import { createId, deriveId } from '../../../base/ids.ts';
import { foldEmail } from '../../../base/text/email.ts';
import { parseStoredTime, toStoredTime } from '../../../base/time.ts';
import { findRows, insertRows, type Row, type TableName } from '../../store/import/import-rows.ts';
import { dropLinks, leftKeyOf } from '../../store/members/member-bulk.ts';
import { redeemGift } from '../../store/members/member-links.ts';
import { isDefault, type NewsletterRow } from '../../store/members/newsletters.ts';
import type { Transaction } from '../../store/store.ts';
import type { CheckedLine } from './check-member-lines.ts';
import type { Known } from './known-members.ts';
import { customerOf, type OfMember, type WriterContext } from './writer-context.ts';

export const addMembers = async (
  context: WriterContext,
  known: Known,
  lines: readonly CheckedLine[],
): Promise<void> => {
  const { tx, report, nowMs } = context;
  const left = context.replaces ? new Map<string, Row[]>() : await readLeft(tx, lines);
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
    const newsletters = newslettersOf(context, left, { line, memberId: id });
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
  await dropLinks(
    tx,
    newcomers.map(({ memberId }) => memberId),
  );
  for (const [table, list] of rows) await insertRows(tx, table, list);
  await noteNewcomers(context, newcomers);
  report.count('members', 'added', lines.length);
};

/** What members had left who were deleted here, by their ids and addresses. */
const readLeft = async (
  tx: Transaction,
  lines: readonly CheckedLine[],
): Promise<Map<string, Row[]>> => {
  const values = lines.flatMap(({ id, email }) => [leftKeyOf(email), ...(id === null ? [] : [id])]);
  const found = await findRows(tx, { table: 'left_members', by: 'member_id', values });
  return groupBy(found, ({ member_id }) => String(member_id));
};

/** Those of a signup, but for what the member had left. */
const newslettersOf = (
  { newsletters, report }: WriterContext,
  left: ReadonlyMap<string, readonly Row[]>,
  { line, memberId }: OfMember,
): NewsletterRow[] => {
  const wanted = line.isSubscribed === false ? [] : newsletters.filter(isDefault);
  const events = [line.id ?? '', leftKeyOf(line.email)].flatMap((key) => left.get(key) ?? []);
  const kept = wanted.filter(({ id }) => !hasLeft(events, id, line.createdAt));
  if (kept.length < wanted.length) report.remark('leftHere', `members ${memberId}`);
  return kept;
};

/** Who signed up since has not. */
const hasLeft = (events: readonly Row[], newsletterId: string, createdAt: string | null): boolean =>
  events.some(
    ({ newsletter_id, left_at }) =>
      (!newsletter_id || newsletter_id === newsletterId) &&
      (parseStoredTime(createdAt) ?? 0) <= (parseStoredTime(String(left_at)) ?? 0),
  );

/** What a later import has to know: who wants no newsletter, and whose a gift is. */
const noteNewcomers = async (
  { tx, nowMs }: WriterContext,
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
