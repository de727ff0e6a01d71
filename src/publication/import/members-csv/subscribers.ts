// The subscribers of Ghost 1 and 2, whose exports have them beside the content. They are members, as Ghost 3 made them, and are
// written as lines of a members CSV: they add and fill. Who left there, or never confirmed, is not subscribed.
import { randomUUID } from 'node:crypto';
import { createId } from '../../../base/ids.ts';
import { foldEmail } from '../../../base/text/email.ts';
import { isJsonObject } from '../../../base/text/json-value.ts';
import { parseStoredTime, toStoredTime } from '../../../base/time.ts';
import {
  DEFAULT_NEWSLETTER_SLUG,
  defaultNewsletterName,
} from '../../sources/ghost-export/default-newsletter.ts';
import { findRows, insertRows } from '../../store/import/import-rows.ts';
import type { Stage } from '../../store/import/import-stage.ts';
import { listNewsletters } from '../../store/members/newsletters.ts';
import type { Transaction } from '../../store/store.ts';
import type { ApplyContext } from '../apply/apply-context.ts';
import type { ReportBuilder } from '../import-report.ts';
import { parseImportTime } from '../intake/import-time.ts';
import { parseId } from '../intake/normalise-row.ts';
import type { CheckedLine } from './check-member-lines.ts';
import { createMemberWriter } from './member-writer.ts';
import { readMembers } from './members-by-address.ts';
import { parseMemberLine } from './members-csv-line.ts';

export const SUBSCRIBERS = 'subscribers';

type Staging = { readonly stage: Stage; readonly report: ReportBuilder; readonly nowMs: number };

/** Rows of the export. Those that cannot be taken are named. */
export const stageSubscribers = (
  { stage, report, nowMs }: Staging,
  rows: readonly unknown[],
): void => {
  for (const raw of rows) {
    report.count('members', 'read');
    const row = isJsonObject(raw) ? raw : {};
    const parsed = parseMemberLine(lineOf(row), nowMs);
    if ('reason' in parsed) {
      report.skip('members', parseId(row.id) ?? '', parsed);
      continue;
    }
    const { tiers: _, ...said } = parsed;
    const line: CheckedLine = { ...said, tierId: null, expiryAt: null };
    const email = foldEmail(line.email);
    // Rows may have one id between them; only an address is a reader.
    const staged = {
      id: `${line.id ?? ''} ${email}`,
      keys: [email],
      references: [],
      row: JSON.stringify(line),
    };
    const met = stage.add(SUBSCRIBERS, staged);
    if (met === null) continue;
    const [earlier] = met.id.split(' ');
    const reason = `is the same as in ${earlier ? `row ${earlier}` : 'an earlier row'}`;
    report.skip('members', line.id ?? email, { field: 'email', reason });
    if (line.isSubscribed === false) stage.note(SUBSCRIBERS, met.id, 'left');
  }
};

const lineOf = (row: Readonly<Record<string, unknown>>) => {
  const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
  const isSubscribed = row.status === 'subscribed' && !row.unsubscribed_at;
  const fields = {
    id: textOf(row.id),
    email: textOf(row.email),
    name: textOf(row.name),
    created_at: parseImportTime(row.created_at) ?? '',
    subscribed_to_emails: String(isSubscribed),
  };
  return {
    line: 0,
    fields,
    fault: null,
    goneBy: null,
    isDoubtful: false,
    unclearBy: null,
    unreadTimeBy: null,
  };
};

/** Runs after the members of the export. */
export const addSubscribers = async (context: ApplyContext): Promise<void> => {
  const { tx, stage, report, nowMs } = context;
  if (!stage.declares(SUBSCRIBERS)) return;
  await makeNewsletter(context);
  const members = await createMemberWriter({ tx, report, nowMs, replaces: false, isSource: true });
  for (const batch of stage.rows(SUBSCRIBERS)) {
    const left = stage.notes(
      SUBSCRIBERS,
      batch.map(({ id }) => id),
    );
    const lines = batch.map(({ id, row }) => {
      const line = JSON.parse(row) as CheckedLine;
      return left.has(id) ? { ...line, isSubscribed: false } : line;
    });
    await members.write(await atTheirAddress(tx, lines));
    context.onWritten(batch.length);
  }
};

/** Who got another address here is the same member still: ids of old exports are small numbers, so the time counts, too. */
const atTheirAddress = async (
  tx: Transaction,
  lines: readonly CheckedLine[],
): Promise<CheckedLine[]> => {
  const present = await readMembers(
    tx,
    lines.map(({ email }) => email),
  );
  const values = lines.flatMap(({ id }) => id ?? []);
  const found = await findRows(tx, { table: 'members', by: 'id', values });
  const moved = new Map(found.map((row) => [`${row.id} ${parseStoredTime(row.created_at)}`, row]));
  return lines.map((line) => {
    const same = moved.get(`${line.id} ${parseStoredTime(line.createdAt)}`);
    const isHere = same === undefined || present.has(foldEmail(line.email));
    return isHere ? line : { ...line, email: String(same.email) };
  });
};

/** Ghost 1 and 2 had none by name; where the publication has none either, it gets one named after the site, as in Ghost 5. */
const makeNewsletter = async ({ tx, nowMs }: ApplyContext): Promise<void> => {
  if ((await listNewsletters(tx)).length > 0) return;
  const search = { table: 'settings', by: 'key', values: ['title'] } as const;
  const [title] = await findRows(tx, search);
  await insertRows(tx, 'newsletters', [
    {
      id: createId(nowMs),
      uuid: randomUUID(),
      name: defaultNewsletterName(title?.value),
      slug: DEFAULT_NEWSLETTER_SLUG,
      created_at: toStoredTime(nowMs),
    },
  ]);
};
