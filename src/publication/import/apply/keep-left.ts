// Who left a newsletter here is not subscribed by a source that does not know of it: not by a second import, nor when the
// source comes to be followed. Who subscribed there since is. Decides by the events that both sides keep.
import { PrepressError } from '../../../base/errors.ts';
import { parseStoredTime } from '../../../base/time.ts';
import { findRows, type Row } from '../../store/import/import-rows.ts';
import { leftKeyOf } from '../../store/members/member-bulk.ts';
import type { ApplyContext } from './apply-context.ts';
import { listLinks, NEWSLETTER_LINKS, type NewsletterLink } from './newsletter-links.ts';

/** Whether an import may take from members what the publication knows of them; `asked`: it says first how many lose. */
export type Replacing = 'no' | 'asked' | 'sure';

const EVENTS = 'members_subscribe_events';

/** When the member left, and the links that would give the newsletter back. */
type Left = { readonly leftMs: number; readonly member: string; readonly links: string[] };
type LeftByPair = Map<string, Left>;

const pairOf = (member: string, newsletter: string): string => `${member} ${newsletter}`;

/** Runs between the members and their newsletters. Throws MEMBERS_WOULD_LOSE when asked to. */
export const keepLeft = async (context: ApplyContext, replacing: Replacing): Promise<void> => {
  if (replacing === 'sure') return;
  const left: LeftByPair = new Map();
  for (const links of listLinks(context)) await findLeft(context, links, left);
  if (left.size > 0) dropSubscribedSince(context, left);
  if (left.size === 0) return;
  const members = new Set([...left.values()].map(({ member }) => member));
  if (replacing === 'asked') {
    const sentence = `Of the members in the source, ${members.size} who left would get newsletters again.`;
    const hint =
      'Nothing was changed. Add --yes to go ahead, or leave out --replace to keep them unsubscribed.';
    throw new PrepressError('MEMBERS_WOULD_LOSE', sentence, { hint });
  }
  const refused = [...left.values()].flatMap(({ links }) => links);
  context.stage.flag('rejected', NEWSLETTER_LINKS, refused);
  for (const member of members) context.report.remark('leftHere', `members ${member}`);
};

/** Adds those among the links that lead to a newsletter which the member left here. */
const findLeft = async (
  context: ApplyContext,
  links: readonly NewsletterLink[],
  left: LeftByPair,
): Promise<void> => {
  const present = await findOfMembers(context, NEWSLETTER_LINKS, links);
  const has = new Set(
    present.map((row) => pairOf(String(row.member_id), String(row.newsletter_id))),
  );
  const added = links.filter(({ member, newsletter }) => !has.has(pairOf(member, newsletter)));
  const events = await findOfMembers(context, EVENTS, added);
  const ofEvents = await withoutTheirs(
    context,
    events.filter(({ subscribed }) => subscribed === 0),
  );
  const ours = [...ofEvents, ...(await findOfDeleted(context, added))];
  for (const { id, member, newsletter } of added) {
    const isOf = (row: Row): boolean =>
      row.member_id === member && (row.newsletter_id === newsletter || row.newsletter_id === null);
    const leftMs = latest(ours.filter(isOf));
    const joined = events.filter((row) => row.subscribed === 1 && isOf(row));
    if (leftMs === null || (latest(joined) ?? Number.NEGATIVE_INFINITY) > leftMs) continue;
    const pair = pairOf(member, newsletter);
    const known = left.get(pair) ?? { leftMs, member, links: [] };
    known.links.push(id);
    left.set(pair, known);
  }
};

const findOfMembers = (
  { tx }: ApplyContext,
  table: typeof EVENTS | typeof NEWSLETTER_LINKS,
  links: readonly NewsletterLink[],
): Promise<Row[]> =>
  findRows(tx, {
    table,
    by: 'member_id',
    values: [...new Set(links.map(({ member }) => member))],
  });

/** What members, or others with their addresses, had left when they were deleted here, as events. */
const findOfDeleted = async (
  { tx }: ApplyContext,
  links: readonly NewsletterLink[],
): Promise<Row[]> => {
  const values = [...new Set(links.map(({ member }) => member))];
  const columns = ['id', 'email'] as const;
  const members = await findRows(tx, { table: 'members', columns, by: 'id', values });
  const keys = new Map(
    members.flatMap(({ id, email }) => [
      [String(id), id],
      [leftKeyOf(String(email)), id],
    ]),
  );
  const search = { table: 'left_members', by: 'member_id', values: [...keys.keys()] } as const;
  return (await findRows(tx, search)).map(({ member_id, newsletter_id, left_at }) => ({
    ...{ member_id: keys.get(String(member_id)) ?? null, created_at: left_at ?? null },
    newsletter_id: newsletter_id || null,
  }));
};

/** Events that were made here. */
const withoutTheirs = async (
  { stage, findOthers }: ApplyContext,
  events: readonly Row[],
): Promise<Row[]> => {
  const ids = events.map(({ id }) => String(id));
  const staged = stage.staged(EVENTS, ids);
  const others = (await findOthers?.(EVENTS, ids)) ?? new Set();
  return events.filter(({ id }) => !staged.has(String(id)) && !others.has(String(id)));
};

const latest = (events: readonly Row[]): number | null =>
  events.reduce<number | null>((last, { created_at }) => {
    const at = parseStoredTime(created_at as string | number | null);
    return at === null || (last !== null && last >= at) ? last : at;
  }, null);

const dropSubscribedSince = ({ stage, aliases }: ApplyContext, left: LeftByPair): void => {
  for (const batch of stage.rows(EVENTS)) {
    for (const { row } of batch) {
      const event = JSON.parse(row) as Row;
      if (event.subscribed !== 1) continue;
      const member = aliases.resolve('members', String(event.member_id));
      const newsletter = aliases.resolve('newsletters', String(event.newsletter_id));
      const found = left.get(pairOf(member, newsletter));
      if (found !== undefined && (latest([event]) ?? found.leftMs) > found.leftMs) {
        left.delete(pairOf(member, newsletter));
      }
    }
  }
};
