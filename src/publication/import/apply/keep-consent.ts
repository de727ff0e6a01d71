// Two members of a source may have one address, spelled in different capitals, and one may have the address of a member who is
// only here. The first is taken, and gets no newsletter that the other one has left: nobody knows which of the two the person
// means, so the stricter consent counts. What the other one left, it has left, too, whatever its address here is.
import { awaitRows } from '../../store/import/followed.ts';
import { deleteRows, findRows, type Row } from '../../store/import/import-rows.ts';
import type { Transaction } from '../../store/store.ts';
import type { ApplyContext } from './apply-context.ts';
import { listLinks, NEWSLETTER_LINKS } from './newsletter-links.ts';

/** Runs between the members and their newsletters. */
export const keepConsent = async (context: ApplyContext): Promise<void> => {
  const { stage, twins, aliases, isFollowing = false } = context;
  // A look has the links of twins staged, if there are any: they wait to be taken.
  if (twins.size === 0 || !(isFollowing || stage.declares(NEWSLETTER_LINKS))) return;
  const members = new Map(
    [...twins].map(([twin, first]) => [
      twin,
      [twin, ...[twin, first].map((id) => aliases.resolve('members', id))],
    ]),
  );
  const allowed = await listAllowed(context);
  const refuses = (memberId: string, newsletter: string): boolean =>
    [...members].some(
      ([twin, ids]) => ids.includes(memberId) && !allowed.get(twin)?.has(newsletter),
    );
  for (const links of listLinks(context)) {
    const refused = links.filter(({ member, newsletter }) => refuses(member, newsletter));
    stage.flag(
      'rejected',
      NEWSLETTER_LINKS,
      refused.map(({ id }) => id),
    );
  }
  for (const memberId of new Set([...members.values()].flat())) {
    await endRefused(context, memberId, (newsletter) => refuses(memberId, newsletter));
  }
};

/** Without an event: it is the source that says so, and may say otherwise once one of the two is gone. */
const endRefused = async (
  { tx, isFollowing = false }: ApplyContext,
  memberId: string,
  isRefused: (newsletter: string) => boolean,
): Promise<void> => {
  const gone = (await findLinksOf(tx, [memberId]))
    .filter((row) => isRefused(String(row.newsletter_id)))
    .map(({ id }) => String(id));
  await deleteRows(tx, NEWSLETTER_LINKS, gone);
  if (isFollowing) await awaitRows(tx, NEWSLETTER_LINKS, gone);
};

/** What each twin has at the source: of a look, also the links that have not changed. */
const listAllowed = async (
  context: ApplyContext,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
  const { tx, twins, aliases, isFollowing = false } = context;
  const found = new Map<string, Set<string>>();
  const allow = (of: string, newsletter: string): void => {
    if (twins.has(of)) found.set(of, (found.get(of) ?? new Set()).add(newsletter));
  };
  for (const links of listLinks(context))
    for (const { of, newsletter } of links) allow(of, newsletter);
  if (!isFollowing) return found;
  for (const [twin, first] of twins) {
    const own = aliases.resolve('members', twin);
    const ids = own === aliases.resolve('members', first) ? [twin] : [twin, own];
    for (const { newsletter_id } of await findLinksOf(tx, ids)) allow(twin, String(newsletter_id));
  }
  return found;
};

const findLinksOf = (tx: Transaction, members: readonly string[]): Promise<Row[]> =>
  findRows(tx, {
    table: NEWSLETTER_LINKS,
    columns: ['id', 'member_id', 'newsletter_id'],
    by: 'member_id',
    values: members,
  });
