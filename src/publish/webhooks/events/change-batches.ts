// Cuts the change log into steps: what one action did to one record. An action is one admin save (rows
// with its id) or, for rows without, all rows of one record in one wake.
import type { Change } from '../../../publication/snapshot/snapshot.ts';
import { type EventKind, findLogged } from '../../../publication/tables/record-tables.ts';
import { type ReadLog, type RecordsWithEvents, recordsOf } from './records-with-events.ts';

export type ChangeBatch = {
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

/** True when a step of the record that ends with this change is queued already: no more joins it. */
export type BatchEnd = (record: string, seq: number) => boolean;

export type CutBatches = {
  /** The steps of each record in order of the log; keys are `kind record`. */
  readonly steps: ReadonlyMap<string, readonly ChangeBatch[]>;
  /** Tags and authors that the records were linked to, or lost, in the log. */
  readonly linked: ReadonlySet<string>;
};

type Draft = { action: string | null; from: number; to: number; group: number };

export const cutBatches = async (
  readLog: ReadLog,
  { records, follows }: RecordsWithEvents,
  isEnd: BatchEnd,
): Promise<CutBatches> => {
  const drafts = new Map<string, Draft[]>();
  const linked = new Set<string>();
  let group = 0;
  let groupAction: string | null | undefined;
  for await (const part of readLog()) {
    for (const change of part) {
      if (change.action !== groupAction) {
        group = change.seq;
        groupAction = change.action;
      }
      for (const [key, record] of recordsOf(change)) {
        if (!records.has(record)) continue;
        for (const id of endsOf(change)) linked.add(id);
        if (!follows(change)) extend(drafts, key, { change, group, record, isEnd });
      }
    }
  }
  const steps = new Map(
    [...drafts].map(([key, list]) => [key, list.map((draft) => toStep(key, draft))] as const),
  );
  return { steps, linked };
};

const endsOf = ({ entity, other_id, old_other_id }: Change): string[] =>
  findLogged(entity)?.target === undefined
    ? []
    : [other_id, old_other_id].filter((id) => id !== null);

type Extension = {
  readonly change: Change;
  readonly group: number;
  readonly record: string;
  readonly isEnd: BatchEnd;
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

const toStep = (key: string, { action, from, to, group }: Draft): ChangeBatch => {
  const kind = key.slice(0, key.indexOf(' ')) as EventKind;
  const record = key.slice(kind.length + 1);
  const isLabelled = action !== null;
  return { kind, record, action: action ?? `log-${from}-${to}`, isLabelled, from, to, group };
};

/** The first and last change of a step, from the action that its events carry; NaN for admin saves. */
export const placeOfAction = (action: string): Pick<ChangeBatch, 'from' | 'to'> => {
  const [, from, to] = /^log-(\d+)-(\d+)$/.exec(action) ?? [];
  return { from: Number(from), to: Number(to) };
};
