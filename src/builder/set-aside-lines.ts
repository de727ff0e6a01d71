// How records that are set aside are named in reports, findings and on the command line.
import { shownId } from '../documents/row-problem.ts';
import type { ListedSetAside, SetAsideEntry } from '../store/set-aside.ts';
import type { Snapshot } from '../store/snapshot.ts';

/** One sentence: what is wrong with the row, and what is shown in its place. */
export const setAsideLine = ({ entity, id, problems, isShown }: Omit<ListedSetAside, 'since'>) => {
  const reasons = problems.map(({ field, reason }) => `${field} ${reason}`).join(', ');
  const shown = isShown ? 'an earlier version is shown' : 'nothing of it is shown';
  return `Row ${shownId(id)} of ${entity} cannot be rendered (${reasons}); ${shown}.`;
};

/** As `status` and the admin interface show it. */
export const showSetAside = ({ entity, id, problems, since, isShown }: ListedSetAside) => ({
  table: entity,
  id: shownId(id),
  problems,
  since: new Date(since).toISOString(),
  earlier_version_shown: isShown,
});

/** The entries that hold, in the form that is listed elsewhere. */
export const heldEntries = (snapshot: Snapshot): (SetAsideEntry & { isShown: boolean })[] =>
  snapshot
    .setAside()
    .filter(({ isCurrent }) => isCurrent)
    .map((entry) => ({ ...entry, isShown: entry.hiddenSeq === null }));

/** Rows that a report names; `status` lists as many. */
export const LISTED_MAX = 50;

/** A line for each record that is set aside in the snapshot, and how many there are besides. */
export const setAsideWarnings = (snapshot: Snapshot): string[] => {
  const held = heldEntries(snapshot);
  const lines = held.slice(0, LISTED_MAX).map(setAsideLine);
  const more = held.length - lines.length;
  return more > 0 ? [...lines, `${more} more rows cannot be rendered.`] : lines;
};
