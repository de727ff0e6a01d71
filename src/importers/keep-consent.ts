// Two members of a source may have one address, spelled in different capitals. The first is taken, and gets no newsletter that
// the other one has left: nobody knows which of the two the person means, so the stricter consent counts.
import { findRows } from '../store/import-rows.ts';
import { replaceNewsletters } from '../store/member-links.ts';
import type { ApplyContext } from './apply-table.ts';

const LINKS = 'members_newsletters';

/** `twins`: members that were not taken, with the one that was. Runs between the members and their newsletters. */
export const keepConsent = async (
  { writer, stage, aliases, nowMs }: ApplyContext,
  twins: ReadonlyMap<string, string>,
): Promise<void> => {
  if (twins.size === 0 || !stage.declares(LINKS)) return;
  const allowed = listNewsletters(stage, new Set(twins.keys()));
  const firsts = new Set(twins.values());
  const isRefused = (first: string, newsletter: string): boolean =>
    [...twins].some(([twin, one]) => one === first && !allowed.get(twin)?.has(newsletter));
  for (const outlines of stage.outlines(LINKS)) {
    const refused = outlines.filter(
      ({ references: [member = null, newsletter = null] }) =>
        member !== null && firsts.has(member) && isRefused(member, newsletter ?? ''),
    );
    const ids = refused.map(({ id }) => id);
    stage.mark('rejected', LINKS, ids);
  }
  for (const first of firsts) {
    const memberId = aliases.resolve('members', first);
    const search = { table: LINKS, columns: ['newsletter_id'], by: 'member_id' } as const;
    const present = await findRows(writer, { ...search, values: [memberId] });
    const kept = present
      .map((row) => String(row.newsletter_id))
      .filter((id) => !isRefused(first, id));
    await replaceNewsletters(writer, { memberId, nowMs, source: 'import' }, kept);
  }
};

const listNewsletters = (
  stage: ApplyContext['stage'],
  members: ReadonlySet<string>,
): ReadonlyMap<string, ReadonlySet<string>> => {
  const found = new Map<string, Set<string>>();
  for (const outlines of stage.outlines(LINKS)) {
    for (const { references } of outlines) {
      const [member, newsletter] = references;
      if (!member || !newsletter || !members.has(member)) continue;
      found.set(member, (found.get(member) ?? new Set()).add(newsletter));
    }
  }
  return found;
};
