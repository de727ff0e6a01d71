// Rows that cannot be shown as they are, and how reports, findings and the command line name them: those that are set
// aside, and those of the source that is followed which could not be taken.
import { counted } from '../../../base/text/counted.ts';
import { type RowProblem, shownId } from '../../../publication/documents/row-problem.ts';
import { settingKeys } from '../../../publication/documents/settings-document.ts';
import type { SetAsideEntry } from '../../../publication/snapshot/last-good-row.ts';
import type { Snapshot } from '../../../publication/snapshot/snapshot.ts';
import type { NotTaken } from '../../../publication/snapshot/source-problem.ts';
import type { Config } from '../../../settings/settings.ts';
import type { OutputSettings } from '../output-settings.ts';

export type BrokenRow = Pick<SetAsideEntry, 'id' | 'problems' | 'since'> & {
  /** Of the source's, Ghost's name of it. */
  readonly table: string;
  /** An earlier version is. */
  readonly isShown: boolean;
  readonly isOfSource: boolean;
  readonly isOfImport?: boolean;
};

export type Shape = Config['shape'];

export const shapeOf = ({ render }: OutputSettings): Shape =>
  render.ghost === undefined ? 'interface' : 'ghost';

/** The newest faults come first. */
export const listBrokenRows = (snapshot: Snapshot, shape: Shape): BrokenRow[] =>
  [...listHeld(snapshot), ...listUnread(snapshot, shape)].sort((a, b) => b.since - a.since);

const listHeld = (snapshot: Snapshot): BrokenRow[] =>
  snapshot
    .setAside()
    .filter(({ isCurrent }) => isCurrent)
    .map(({ entity, hiddenSeq, ...entry }) => {
      return { ...entry, table: entity, isShown: hiddenSeq === null, isOfSource: false };
    });

/** Those of the source that documents of the shape are made of. */
export const listUnread = (snapshot: Snapshot, shape: Shape): BrokenRow[] => {
  const rows = snapshot.notTaken();
  const keys = rows.length === 0 ? new Set() : settingKeys(shape === 'ghost' ? {} : undefined);
  const isInDocument = ({ name, key }: NotTaken): boolean =>
    key === undefined ? shape === 'ghost' || !TIER_TABLES.includes(name) : keys.has(key);
  return rows.filter(isInDocument).map(({ name, field, reason, key, ...row }) => {
    const named = key === undefined ? field : `${field} of ${key}`;
    const problems = [{ field: named, reason }];
    return { ...row, table: name, problems, isOfSource: true };
  });
};

/** Tiers stand in documents of Ghost's shape alone. */
const TIER_TABLES: readonly string[] = [
  'products',
  'benefits',
  'products_benefits',
  'posts_products',
];

export const toRowProblems = ({ table, id, problems }: BrokenRow): RowProblem[] =>
  problems.map((problem) => ({ table, id, ...problem }));

/** What is wrong with the row, and what is shown in its place. */
export const brokenLine = ({ table, id, problems, ...row }: BrokenRow): string => {
  const reasons = problems.map(({ field, reason }) => `${field} ${reason}`).join(', ');
  const shown = row.isShown ? 'an earlier version is shown' : 'nothing of it is shown';
  const line = `Row ${shownId(id)} of ${table} ${faultOf(row)} (${reasons}); ${shown}.`;
  return row.isOfImport === true ? `${line} ${AFTER_IMPORT}` : line;
};

const faultOf = ({
  isOfSource,
  isOfImport,
}: Pick<BrokenRow, 'isOfSource' | 'isOfImport'>): string => {
  if (isOfImport === true) return 'could not be read at the last import';
  return isOfSource ? 'in the source cannot be read' : 'cannot be rendered';
};

const AFTER_IMPORT = 'Fix it and import again, or run "prepress import --accept" to leave it out.';

/** As `status` and the admin interface show it. */
export const showBroken = (row: BrokenRow) => ({
  table: row.table,
  id: shownId(row.id),
  problems: row.problems,
  since: new Date(row.since).toISOString(),
  earlier_version_shown: row.isShown,
  message: brokenLine(row),
});

/** Rows that a report names; `status` lists as many. */
export const LISTED_MAX = 50;

/** A line for each broken row, and how many there are besides. */
export const brokenWarnings = (snapshot: Snapshot, shape: Shape): string[] => {
  const rows = listBrokenRows(snapshot, shape);
  const lines = rows.slice(0, LISTED_MAX).map(brokenLine);
  const more = rows.length - lines.length;
  return more > 0 ? [...lines, `${counted(more, 'further row')} cannot be rendered.`] : lines;
};
