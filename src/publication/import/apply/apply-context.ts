// What the tables of a source are applied with.
import type { Column } from '../../store/import/import-rows.ts';
import type { Stage } from '../../store/import/import-stage.ts';
import type { Transaction } from '../../store/store.ts';
import type { ReportBuilder } from '../import-report.ts';
import type { RowHints } from '../intake/row-hints.ts';
import type { Aliases } from './aliases.ts';

/** What writing adds to. */
type Written = Pick<ApplyContext, 'stage' | 'report' | 'aliases' | 'twins'>;

/** A save may run again: each run begins with what reading the source has found, and the last one's report counts. */
export const beginRun = <T extends Written>(found: T): T & Pick<ApplyContext, 'matched'> => {
  found.stage.restart();
  const { report, aliases, twins } = found;
  const own = { report: report.copy(), aliases: aliases.copy(), twins: new Map(twins) };
  return { ...found, ...own, matched: new Set<string>() };
};

export type ApplyContext = {
  readonly tx: Transaction;
  readonly stage: Stage;
  readonly report: ReportBuilder;
  readonly aliases: Aliases;
  readonly hints: RowHints;
  readonly columns: ReadonlyMap<string, readonly Column[]>;
  /** Name of the role by user id of the file. */
  readonly roles: ReadonlyMap<string, string>;
  readonly nowMs: number;
  /** The present by the clock of the source; null or absent: not known. */
  readonly sourceMs?: number | null | undefined;
  /** Told how many further rows were compared and written. */
  readonly onWritten: (rows: number) => void;
  /** Members that were not taken, with the id of the row that has their address, here or in the source. */
  readonly twins: Map<string, string>;
  /** Ids of the source whose rows were found here under other ids in this run. */
  readonly matched: Set<string>;
  /** The source is followed: it alone publishes what is due, and columns of ours stay as they are. */
  readonly isFollowing?: boolean;
  /** Which of the publication's rows are others of the source than those that are staged; absent: none. */
  readonly findOthers?: (table: string, ids: readonly string[]) => Promise<ReadonlySet<string>>;
};
