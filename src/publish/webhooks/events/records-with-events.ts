// Decides which records the events of one cycle speak of, by counting, before a step is cut. What is kept here depends on
// the records that have events, not on the length of the log.
import { BULK_RECORDS_MAX } from '../../../base/limits.ts';
import type { Change } from '../../../publication/snapshot/snapshot.ts';
import {
  type EventKind,
  findLogged,
  isUnlogged,
  RECORD_TABLES,
  type UnloggedTarget,
} from '../../../publication/tables/record-tables.ts';

/** The log after a position, from its start each time. */
export type ReadLog = () => AsyncIterable<readonly Change[]>;

export type PresentIds = (table: UnloggedTarget, ids: readonly string[]) => ReadonlySet<string>;

export type RecordsWithEvents = {
  readonly records: ReadonlySet<string>;
  /** Kinds of which more than BULK_RECORDS_MAX records have unlabelled rows: of these only saves speak, and `turned`. */
  readonly floods: ReadonlySet<EventKind>;
  /** Posts and pages of a flood that were published or taken back, BULK_RECORDS_MAX at most. */
  readonly turned: ReadonlySet<string>;
  /**
   * True for a row that only follows from the removal of a tag, author, label, newsletter or tier: it is no step
   * of the record that it linked.
   */
  readonly follows: (change: Change) => boolean;
};

type LogView = {
  readonly readLog: ReadLog;
  readonly presentIds: PresentIds;
  /** Posts and pages of unlabelled rows that were published or taken back, so many at most. */
  readonly statusChanges: (most: number) => readonly string[];
};

export const findRecordsWithEvents = async ({
  readLog,
  presentIds,
  statusChanges,
}: LogView): Promise<RecordsWithEvents> => {
  const survey = await surveyLog(readLog);
  const follows = followerTest(survey, presentIds);
  // Enough is known of most long logs; others are read again, now that it is known which rows follow.
  const { records, floods } = isSilent(survey)
    ? { records: new Set<string>(), floods: floodsOf(survey.unlabelled) }
    : await countTold(readLog, follows);
  const found = floods.has('post') ? statusChanges(BULK_RECORDS_MAX + 1) : [];
  const turned = new Set(found.length > BULK_RECORDS_MAX ? [] : found);
  return { records: new Set([...records, ...turned]), floods, turned, follows };
};

/** Rows of bulk edits, imports and autosaves of drafts, which speak only through site.changed. */
export const isBulk = (action: string): boolean => /^(?:bulk|import|autosave):/.test(action);

/** The kind and id of each record that a change belongs to; of none when its rows make no events. */
export const recordsOf = (change: Change): [key: string, record: string][] => {
  const kind = kindOf(change);
  if (kind === undefined) return [];
  const { record_id, old_record_id } = change;
  const records =
    old_record_id === null || old_record_id === record_id
      ? [record_id]
      : [record_id, old_record_id];
  return records.map((record) => [`${kind} ${record}`, record]);
};

const kindOf = ({ entity }: Change): EventKind | undefined => findLogged(entity)?.event;

/** Keys of records with unlabelled rows by kind, as far as they are counted. */
type Unlabelled = Map<EventKind, Map<string, string>>;

const note = (unlabelled: Unlabelled, change: Change): void => {
  const kind = kindOf(change);
  if (kind === undefined) return;
  const records = unlabelled.get(kind) ?? new Map<string, string>();
  unlabelled.set(kind, records);
  if (records.size > BULK_RECORDS_MAX) return;
  for (const [key, record] of recordsOf(change)) records.set(key, record);
};

const floodsOf = (unlabelled: Unlabelled): Set<EventKind> =>
  new Set([...unlabelled].filter(([, { size }]) => size > BULK_RECORDS_MAX).map(([kind]) => kind));

type Survey = {
  /** Tags and authors that were removed, with the action. */
  readonly removed: Set<string>;
  /** Ends of removed links that the log does not cover. */
  readonly asked: Map<UnloggedTarget, Set<string>>;
  /** Of rows that follow from nothing. */
  readonly unlabelled: Unlabelled;
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
    unlabelled: new Map(),
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
  else note(survey.unlabelled, change);
};

const removedLink = ({ entity, op, other_id }: Change) => {
  const target = op === 'd' ? findLogged(entity)?.target : undefined;
  return target === undefined || other_id === null ? null : { target, other: other_id };
};

/** No save, and of each kind nothing or a flood. */
const isSilent = ({ unlabelled, hasLinks, hasSaves }: Survey): boolean =>
  !hasSaves && !hasLinks && floodsOf(unlabelled).size === unlabelled.size;

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
  follows: RecordsWithEvents['follows'],
): Promise<Pick<RecordsWithEvents, 'records' | 'floods'>> => {
  const saved = new Set<string>();
  const unlabelled: Unlabelled = new Map();
  for await (const part of readLog()) {
    for (const change of part) {
      if (follows(change)) continue;
      if (change.action === null) note(unlabelled, change);
      else if (!isBulk(change.action))
        for (const [, record] of recordsOf(change)) saved.add(record);
    }
  }
  const floods = floodsOf(unlabelled);
  const few = [...unlabelled].filter(([kind]) => !floods.has(kind));
  return { records: new Set([...saved, ...few.flatMap(([, all]) => [...all.values()])]), floods };
};
