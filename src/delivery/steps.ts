// Cuts the change log into steps: what one action did to one record. An action is one admin save (rows
// with its id) or, for rows without, all rows of one record in one wake. Rows that only follow from
// the removal of a tag, author, label, newsletter or tier are no step of the records they linked.
import {
  type EventKind,
  findLogged,
  isUnlogged,
  type UnloggedTarget,
} from '../store/record-tables.ts';
import type { Change } from '../store/snapshot.ts';

export type Step = {
  readonly kind: EventKind;
  readonly record: string;
  /** The action's id; made from the step's place in the log when the rows carry none. */
  readonly action: string;
  readonly isLabelled: boolean;
  /** First and last change of the step. */
  readonly from: number;
  readonly to: number;
  /** First change of the save, or of the stretch of unlabelled rows, that the step belongs to. */
  readonly group: number;
};

export type PresentIds = (table: UnloggedTarget, ids: readonly string[]) => ReadonlySet<string>;

/** True when a step of the record that ends with this change is queued already: no more joins it. */
export type StepEnd = (record: string, seq: number) => boolean;

type Draft = { action: string | null; from: number; to: number; group: number };

/** The steps of each record in order of the log; keys are `kind record`. */
export const cutSteps = (
  changes: readonly Change[],
  presentIds: PresentIds,
  isEnd: StepEnd = () => false,
): Map<string, Step[]> => {
  const follows = followers(changes, presentIds);
  const drafts = new Map<string, Draft[]>();
  let group = 0;
  let groupAction: string | null | undefined;
  for (const change of changes) {
    if (change.action !== groupAction) {
      group = change.seq;
      groupAction = change.action;
    }
    const kind = findLogged(change.entity)?.event;
    if (kind === undefined || follows(change)) continue;
    for (const record of new Set([change.record_id, change.old_record_id])) {
      if (record !== null) extend(drafts, `${kind} ${record}`, { change, group, record, isEnd });
    }
  }
  return new Map(
    [...drafts].map(([key, list]) => [key, list.map((draft) => toStep(key, draft))] as const),
  );
};

type Extension = {
  readonly change: Change;
  readonly group: number;
  readonly record: string;
  readonly isEnd: StepEnd;
};

const extend = (
  drafts: Map<string, Draft[]>,
  key: string,
  { change, group, record, isEnd }: Extension,
): void => {
  const list = drafts.get(key) ?? [];
  const last = list.at(-1);
  const isJoined =
    last?.action === change.action && !(last.action === null && isEnd(record, last.to));
  if (last !== undefined && isJoined) last.to = change.seq;
  else list.push({ action: change.action, from: change.seq, to: change.seq, group });
  drafts.set(key, list);
};

const toStep = (key: string, { action, from, to, group }: Draft): Step => {
  const [kind, record] = key.split(' ') as [EventKind, string];
  const isLabelled = action !== null;
  return { kind, record, action: action ?? `log-${from}-${to}`, isLabelled, from, to, group };
};

/** The change that a step ended with, from the action that its events carry; null for admin saves. */
export const endOfAction = (action: string): number | null => {
  const to = /^log-\d+-(\d+)$/.exec(action)?.[1];
  return to === undefined ? null : Number(to);
};

const followers = (
  changes: readonly Change[],
  presentIds: PresentIds,
): ((change: Change) => boolean) => {
  const removed = new Set<string>();
  const asked = new Map<UnloggedTarget, Set<string>>();
  for (const { entity, op, record_id, other_id, action } of changes) {
    if (op !== 'd') continue;
    removed.add(`${entity} ${record_id} ${action}`);
    const target = findLogged(entity)?.target;
    if (target === undefined || other_id === null || !isUnlogged(target)) continue;
    asked.set(target, (asked.get(target) ?? new Set()).add(other_id));
  }
  const present = new Map(
    [...asked].map(([table, ids]) => [table, presentIds(table, [...ids])] as const),
  );
  return ({ entity, op, other_id, action }) => {
    const target = findLogged(entity)?.target;
    if (op !== 'd' || other_id === null || target === undefined) return false;
    // The removal of a record that the log does not cover shows only in the present.
    return isUnlogged(target)
      ? present.get(target)?.has(other_id) === false
      : removed.has(`${target} ${other_id} ${action}`);
  };
};
