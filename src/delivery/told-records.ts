// Decides which records the events of one cycle speak of, by counting, before a step is cut: a flood of unlabelled
// rows, a bulk edit and an import speak only through site.changed. What is kept here depends on the records that
// have events, not on the length of the log.
import { BULK_RECORDS_MAX } from '../base/limits.ts';
import {
  findLogged,
  isUnlogged,
  RECORD_TABLES,
  type UnloggedTarget,
} from '../store/record-tables.ts';
import type { Change } from '../store/snapshot.ts';

/** The log after a position, from its start each time. */
export type ReadLog = () => AsyncIterable<readonly Change[]>;

export type PresentIds = (table: UnloggedTarget, ids: readonly string[]) => ReadonlySet<string>;

export type Told = {
  readonly records: ReadonlySet<string>;
  /** More than BULK_RECORDS_MAX records have unlabelled rows: only saves speak. */
  readonly isFlood: boolean;
  /**
   * True for a row that only follows from the removal of a tag, author, label, newsletter or tier: it is no step
   * of the record that it linked.
   */
  readonly follows: (change: Change) => boolean;
};

export const findTold = async (readLog: ReadLog, presentIds: PresentIds): Promise<Told> => {
  const survey = await surveyLog(readLog);
  const follows = followerTest(survey, presentIds);
  // Enough is known of most long logs; others are read again, now that it is known which rows follow.
  return isSilent(survey)
    ? { records: new Set(), isFlood: true, follows }
    : { ...(await countTold(readLog, follows)), follows };
};

/** Rows of bulk edits and imports, which speak only through site.changed. */
export const isBulk = (action: string): boolean => /^(?:bulk|import):/.test(action);

/** The kind and id of each record that a change belongs to; of none when its rows make no events. */
export const recordsOf = (change: Change): [key: string, record: string][] => {
  const kind = findLogged(change.entity)?.event;
  if (kind === undefined) return [];
  const { record_id, old_record_id } = change;
  const records =
    old_record_id === null || old_record_id === record_id
      ? [record_id]
      : [record_id, old_record_id];
  return records.map((record) => [`${kind} ${record}`, record]);
};

type Survey = {
  /** Tags and authors that were removed, with the action. */
  readonly removed: Set<string>;
  /** Ends of removed links that the log does not cover. */
  readonly asked: Map<UnloggedTarget, Set<string>>;
  /** Records with unlabelled rows that follow from nothing, as far as they are counted. */
  readonly unlabelled: Set<string>;
  hasSaves: boolean;
  /** Whether there are unlabelled rows that may follow from another removal. */
  hasLinks: boolean;
};

const LOGGED_TARGETS: ReadonlySet<string> = new Set(
  Object.values(RECORD_TABLES).flatMap((facts) =>
    'target' in facts && !isUnlogged(facts.target) ? [facts.target] : [],
  ),
);

const surveyLog = async (readLog: ReadLog): Promise<Survey> => {
  const survey: Survey = {
    removed: new Set(),
    asked: new Map(),
    unlabelled: new Set(),
    hasSaves: false,
    hasLinks: false,
  };
  for await (const part of readLog()) {
    for (const change of part) surveyChange(survey, change);
  }
  return survey;
};

const surveyChange = (survey: Survey, change: Change): void => {
  const { entity, op, record_id, action } = change;
  if (op === 'd' && LOGGED_TARGETS.has(entity)) {
    survey.removed.add(`${entity} ${record_id} ${action}`);
  }
  const link = removedLink(change);
  if (link !== null && isUnlogged(link.target)) {
    survey.asked.set(link.target, (survey.asked.get(link.target) ?? new Set()).add(link.other));
  }
  if (action !== null) survey.hasSaves ||= !isBulk(action);
  else if (link !== null) survey.hasLinks = true;
  else if (!isOverfull(survey.unlabelled)) {
    for (const [key] of recordsOf(change)) survey.unlabelled.add(key);
  }
};

const removedLink = ({ entity, op, other_id }: Change) => {
  const target = op === 'd' ? findLogged(entity)?.target : undefined;
  return target === undefined || other_id === null ? null : { target, other: other_id };
};

const isOverfull = (records: ReadonlySet<string>): boolean => records.size > BULK_RECORDS_MAX;

const isSilent = ({ unlabelled, hasLinks, hasSaves }: Survey): boolean =>
  !hasSaves && (isOverfull(unlabelled) || (unlabelled.size === 0 && !hasLinks));

const followerTest = (
  { removed, asked }: Survey,
  presentIds: PresentIds,
): ((change: Change) => boolean) => {
  const present = new Map(
    [...asked].map(([table, ids]) => [table, presentIds(table, [...ids])] as const),
  );
  return (change) => {
    const link = removedLink(change);
    if (link === null) return false;
    const { target, other } = link;
    // The removal of a record that the log does not cover shows only in the present.
    return isUnlogged(target)
      ? present.get(target)?.has(other) === false
      : removed.has(`${target} ${other} ${change.action}`);
  };
};

const countTold = async (
  readLog: ReadLog,
  follows: Told['follows'],
): Promise<Omit<Told, 'follows'>> => {
  const saved = new Set<string>();
  const unlabelled = new Map<string, string>();
  const isFlood = (): boolean => unlabelled.size > BULK_RECORDS_MAX;
  for await (const part of readLog()) {
    for (const change of part) {
      if (follows(change)) continue;
      for (const [key, record] of recordsOf(change)) {
        if (change.action !== null) isBulk(change.action) || saved.add(record);
        else if (!isFlood()) unlabelled.set(key, record);
      }
    }
  }
  const records = isFlood() ? saved : new Set([...saved, ...unlabelled.values()]);
  return { records, isFlood: isFlood() };
};
