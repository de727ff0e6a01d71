// What an import did, counted while it runs: rows by table, every row that was not taken with its
// reason, and what else the reader should know. Holds ids of rows, and of their values only such as name
// nobody: a state, a time, a tier.
import * as z from 'zod';
import type { Problem } from './intake/normalise-row.ts';

const tableCounts = z
  .object({
    /** Rows of the table in the file. */
    read: z.number(),
    added: z.number(),
    changed: z.number(),
    unchanged: z.number(),
    skipped: z.number(),
    /** Links that a post or member of the file no longer has. */
    removed: z.number(),
  })
  .readonly();
export type TableCounts = z.output<typeof tableCounts>;

const skippedRow = z
  .object({ table: z.string(), id: z.string(), field: z.string(), reason: z.string() })
  .readonly();
export type SkippedRow = z.output<typeof skippedRow>;

export const importReport = z
  .object({
    /** By the name of the table in the file. */
    tables: z.record(z.string(), tableCounts).readonly(),
    /** At most 10,000; a warning counts the rest. */
    skipped: z.array(skippedRow).readonly(),
    /** Values that cannot be read, of rows that were taken without them; as many at most. */
    leftOut: z.array(skippedRow).readonly(),
    warnings: z.array(z.string()).readonly(),
  })
  .readonly();
export type ImportReport = z.output<typeof importReport>;

export type ReportBuilder = {
  readonly count: (table: string, what: keyof TableCounts, by?: number) => void;
  readonly skip: (table: string, id: string, problem: Problem) => void;
  readonly leaveOut: (table: string, id: string, problem: Problem) => void;
  /** Counts a remark about a row; each kind becomes one warning. */
  readonly remark: (kind: Remark, subject: string) => void;
  readonly remarked: (kind: Remark) => number;
  readonly warn: (sentence: string) => void;
  /** Another one that goes on from what this one has. */
  readonly copy: () => ReportBuilder;
  readonly finish: () => ImportReport;
};

/** For people: what every good import says is no warning. */
export const warningLine = (sentence: string): string =>
  sentence.startsWith('Note: ') ? sentence : `Warning: ${sentence}`;

const SKIPPED_MAX = 10_000;
const SUBJECTS_MAX = 5;

const REMARKS = {
  early:
    'Posts that the source published at a time in the future, by the clock here, were scheduled',
  untitled: 'Posts are published with the title "(Untitled)"',
  sampleEdited: 'Posts of the sample that were edited here are kept as drafts',
  ownPosts:
    'Published posts that the source does not have stay here; to withdraw one: "prepress follow --detach", "prepress unpublish SLUG", and follow again; posts',
  ownMembers: 'Members that the source does not have stay here; members',
  slugNeeded:
    'Posts here that the source does not show are drafts with another slug now, because the source has their slugs',
  slugTaken:
    'Posts whose slug another post has here were skipped: give that one another slug, or delete it, and import again; slugs',
  matched: 'Rows that the database has under another id were updated there',
  referenceCleared: 'References to rows that do not exist were left empty',
  withoutAuthor: 'Posts without an author were given to the owner',
  staysBehind:
    'Note: Rows and tables that are secret or of use to Ghost alone were left out on purpose (docs/leaving-ghost.md, section 8)',
  ofMembers: 'Note: Rows that belong to members were left out, because the source has no members',
  blocksLost: 'Blocks for members that the source does not show were lost in posts that changed',
  leftHere:
    'Members who left newsletters here were not resubscribed (import --replace does that); members',
  goneHere:
    'Lines of members who were deleted, or got another address, while the import ran were skipped',
  takenHere:
    'Lines whose Stripe customer or gift went to another member while the import ran were skipped',
  savedHere: 'Members who were saved here while the import ran were left as they are',
  leftThere:
    'Lines imported without a subscription, because a column says so or does not say that the reader agreed',
  timeUnread:
    'Times of signup that are neither a date such as 2024-12-31 nor a time with a zone were left out; lines and columns',
  timeInFuture: 'Times of signup in the future were read as the time of the import; lines',
  manyTiers: 'Lines that name several tiers got the first one, as a member has one; lines',
  leftElsewhere:
    'Lines imported without a subscription, because another line of the address opts out, imported or not; lines',
  leftRefused:
    'Skipped lines that say that the reader left: if the reader is a member here, the newsletters were ended all the same; lines',
  mayHaveLeft:
    'Skipped lines that may say that a reader left, and unsubscribed nobody: correct them and import again; lines',
  repeatedAddress:
    'If lines have the same address, the last one counts, without newsletters if any of them says so; lines skipped',
} as const;

export type Remark = keyof typeof REMARKS;

/** What was done here while a file was imported: of these a journal has only numbers. */
const HERE = ['leftHere', 'goneHere', 'takenHere', 'savedHere'] as const satisfies Remark[];

export const countHere = (report: ReportBuilder): Record<string, number> =>
  Object.fromEntries(HERE.map((kind) => [kind, report.remarked(kind)]));

export const warnHere = (counts: Readonly<Record<string, number>>): string[] =>
  HERE.flatMap((kind) => {
    const count = counts[kind] ?? 0;
    return count > 0 ? [`${REMARKS[kind]}: ${count}.`] : [];
  });

type Noted = { count: number; readonly subjects: Set<string>; hasMore: boolean };

type Begun = {
  readonly tables: Map<string, TableCounts>;
  readonly skipped: List;
  readonly leftOut: List;
  readonly warnings: string[];
  readonly remarks: Map<Remark, Noted>;
};

type List = { readonly rows: SkippedRow[]; unlisted: number };

const NONE: Begun = {
  tables: new Map(),
  skipped: { rows: [], unlisted: 0 },
  leftOut: { rows: [], unlisted: 0 },
  warnings: [],
  remarks: new Map(),
};

export const createReport = (begun = NONE): ReportBuilder => {
  const state = structuredClone(begun);
  const { tables, skipped, leftOut, warnings, remarks } = state;
  const count = (table: string, what: keyof TableCounts, by = 1): void => {
    const counts = tables.get(table) ?? NOTHING;
    tables.set(table, { ...counts, [what]: counts[what] + by });
  };
  return {
    count,
    skip: (table, id, { field, reason }) => {
      count(table, 'skipped');
      addRow(skipped, { table, id, field, reason });
    },
    leaveOut: (table, id, { field, reason }) => addRow(leftOut, { table, id, field, reason }),
    remark: (kind, subject) => {
      const noted = remarks.get(kind) ?? { count: 0, subjects: new Set(), hasMore: false };
      noted.count += 1;
      if (noted.subjects.size < SUBJECTS_MAX) noted.subjects.add(subject);
      else noted.hasMore ||= !noted.subjects.has(subject);
      remarks.set(kind, noted);
    },
    remarked: (kind) => remarks.get(kind)?.count ?? 0,
    warn: (sentence) => warnings.push(sentence),
    copy: () => createReport(state),
    finish: () => ({
      tables: Object.fromEntries(tables),
      skipped: skipped.rows,
      leftOut: leftOut.rows,
      warnings: [
        ...warnings,
        ...[...remarks].map(([kind, { count, subjects, hasMore }]) => {
          const more = hasMore ? ', ...' : '';
          return `${REMARKS[kind]}: ${count} (${[...subjects].join(', ')}${more}).`;
        }),
        ...(skipped.unlisted > 0
          ? [`${skipped.unlisted} more rows were skipped than are listed.`]
          : []),
        ...(leftOut.unlisted > 0
          ? [`${leftOut.unlisted} more values were left out than are listed.`]
          : []),
      ],
    }),
  };
};

/** Nothing of the source was taken, or less than it kept: of all rows, or of what a publication is for. */
export const tookLittle = ({ tables }: Pick<ImportReport, 'tables'>): boolean => {
  const some = Object.values(tables).filter(({ read }) => read > 0);
  const isMissed = (counts: readonly TableCounts[]): boolean => {
    const read = counts.reduce((sum, one) => sum + one.read, 0);
    const skipped = counts.reduce((sum, one) => sum + one.skipped, 0);
    return skipped * 2 > read;
  };
  const main = ['posts', 'members'].flatMap((name) => tables[name] ?? []);
  return some.length === 0 || isMissed(some) || main.some((counts) => isMissed([counts]));
};

/** Numbers other than zero by table and what they count. */
export const countsOf = ({ tables }: ImportReport): Record<string, number> =>
  Object.fromEntries(
    Object.entries(tables).flatMap(([table, counts]) =>
      Object.entries(counts).flatMap(([what, count]) =>
        count === 0 ? [] : [[`${table} ${what}`, count]],
      ),
    ),
  );

export const addCounts = (
  report: ImportReport,
  counts: Readonly<Record<string, number>>,
): ImportReport => {
  const tables: Record<string, TableCounts> = { ...report.tables };
  for (const [name, count] of Object.entries(counts)) {
    const [table = '', what] = name.split(' ');
    if (what === undefined) continue;
    const before: Readonly<Record<string, number>> = tables[table] ?? NOTHING;
    tables[table] = { ...NOTHING, ...before, [what]: (before[what] ?? 0) + count };
  }
  return { ...report, tables };
};

const addRow = (list: List, row: SkippedRow): void => {
  if (list.rows.length < SKIPPED_MAX) list.rows.push(row);
  else list.unlisted += 1;
};

const NOTHING: TableCounts = {
  read: 0,
  added: 0,
  changed: 0,
  unchanged: 0,
  skipped: 0,
  removed: 0,
};
