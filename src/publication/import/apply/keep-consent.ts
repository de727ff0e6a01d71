// Two members of a source may have one address, spelled in different capitals. The first is taken, and gets no newsletter that
// the other one has left: nobody knows which of the two the person means, so the stricter consent counts.
import { awaitRows } from '../../store/import/followed.ts';
import { deleteRows, findRows } from '../../store/import/import-rows.ts';
import type { ApplyContext } from './apply-context.ts';
import { listLinks, NEWSLETTER_LINKS } from './newsletter-links.ts';

/** Runs between the members and their newsletters. */
export const keepConsent = async (context: ApplyContext): Promise<void> => {
  const { stage, twins, aliases, isFollowing = false } = context;
  // A look has the links of twins staged, if there are any: they wait to be taken.
  if (twins.size === 0 || !(isFollowing || stage.declares(NEWSLETTER_LINKS))) return;
  const first = (twin: string): string => aliases.resolve('members', twins.get(twin) ?? twin);
  const allowed = listAllowed(context);
  const refuses = (memberId: string, newsletter: string): boolean =>
    [...twins.keys()].some(
      (twin) => first(twin) === memberId && !allowed.get(twin)?.has(newsletter),
    );
  for (const links of listLinks(context)) {
    const refused = links.filter(({ member, newsletter }) => refuses(member, newsletter));
    stage.flag(
      'rejected',
      NEWSLETTER_LINKS,
      refused.map(({ id }) => id),
    );
  }
  for (const memberId of new Set([...twins.keys()].map(first))) {
    await endRefused(context, memberId, (newsletter) => refuses(memberId, newsletter));
  }
};

/** Without an event: it is the source that says so, and may say otherwise once one of the two is gone. */
const endRefused = async (
  { tx, isFollowing = false }: ApplyContext,
  memberId: string,
  isRefused: (newsletter: string) => boolean,
): Promise<void> => {
  const columns = ['id', 'newsletter_id'];
  const search = { table: NEWSLETTER_LINKS, columns, by: 'member_id', values: [memberId] } as const;
  const gone = (await findRows(tx, search))
    .filter((row) => isRefused(String(row.newsletter_id)))
    .map(({ id }) => String(id));
  await deleteRows(tx, NEWSLETTER_LINKS, gone);
  if (isFollowing) await awaitRows(tx, NEWSLETTER_LINKS, gone);
};

/** What each twin has. */
const listAllowed = (context: ApplyContext): ReadonlyMap<string, ReadonlySet<string>> => {
  const found = new Map<string, Set<string>>();
  for (const links of listLinks(context)) {
    for (const { of, newsletter } of links) {
      if (!context.twins.has(of)) continue;
      found.set(of, (found.get(of) ?? new Set()).add(newsletter));
    }
  }
  return found;
};
