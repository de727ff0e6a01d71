// Decides which events one generation sends, from the change log after the published position and the snapshot that it was
// built from. Pure but for those reads: the same log and snapshot give the same events in the same order.
//
// Order: saves (or stretches of unlabelled rows) as they stand in the log; within one, posts and pages, then tags, then
// members; within a record, the order of facts 8.3; site.changed last.
import { setImmediate as tick } from 'node:timers/promises';
import { createId } from '../../../base/ids.ts';
import type { ChangedNames } from '../../../content/paths/changed-names.ts';
import type { AdminContext } from '../../../publication/documents/admin/document-context.ts';
import type { ChangeWithOld, Snapshot } from '../../../publication/snapshot/snapshot.ts';
import type { PlannedEvent, QueuedStep } from '../../../publication/store/webhooks/outbox.ts';
import { isPublicPost } from '../../../publication/tables/published-posts.ts';
import type { EventKind, RecordTable } from '../../../publication/tables/record-tables.ts';
import { type ChangeBatch, cutBatches, placeOfAction } from './change-batches.ts';
import type { EventName } from './event-names.ts';
import { type History, openHistory } from './history.ts';
import { readSubscriptions } from './member-billing.ts';
import { mergeEvents } from './merge-events.ts';
import { formatPayload, type Shown, showMember, showPost, showTag } from './payload.ts';
import { eventsOfPost } from './post-events.ts';
import { publicStates } from './public-states.ts';
import { type RecordStates, readStates } from './record-states.ts';
import {
  findRecordsWithEvents,
  isBulk,
  type ReadLog,
  type RecordsWithEvents,
} from './records-with-events.ts';

const FLOODED = { post: 'posts', tag: 'tags', member: 'members' } as const satisfies Record<
  EventKind,
  RecordTable
>;

type DraftOptions = {
  /** Seq of the published position. */
  readonly after: number;
  readonly context: AdminContext;
  /** What a cycle that broke off has queued since the published position. */
  readonly queued?: readonly QueuedStep[];
  /** For a kind of which so many records changed that site.changed alone tells of them. */
  readonly onFlood?: (table: (typeof FLOODED)[EventKind], records: number) => void;
};

export type FormatOptions = {
  readonly generation: number;
  /**
   * True when a byte that strangers read differs from what the published position's generation had,
   * also when a run that died before queueing had written it already.
   */
  readonly changedBytes: boolean;
  /** What differs; asked for when somebody subscribes to site.changed. */
  readonly nameChanges?: (() => ChangedNames) | undefined;
  /** The present in milliseconds, for the events' ids. */
  readonly now: number;
  /** Names that some webhook subscribes to; others are left out. All when absent. */
  readonly subscribed?: ReadonlySet<string>;
  /** Only events that wait for the build, or only the others; all when absent. */
  readonly waitsForBuild?: boolean;
};

/** What records' changes say, once for all events of a cycle. */
export const draftEvents = async (
  snapshot: Snapshot,
  { after, context, queued = [], onFlood }: DraftOptions,
): Promise<readonly EventDraft[]> => {
  const readLog: ReadLog = () => snapshot.changesAfter(after);
  const told = await findRecordsWithEvents({
    readLog,
    presentIds: (table, ids) => new Set(snapshot.rows(table, ids).map(({ id }) => id)),
    statusChanges: (most) => snapshot.statusChangesAfter(after, most),
  });
  for (const kind of told.floods) {
    const table = FLOODED[kind];
    onFlood?.(table, snapshot.countUnlabelledAfter(after, table));
  }
  if (told.records.size === 0) return [];
  const places = queued.map((step) => ({ ...step, ...placeOfAction(step.action) }));
  const ends = new Set(places.map(({ recordId, to }) => `${recordId} ${to}`));
  // From an older or a newer snapshot, the step may be queued as a part of a longer one.
  const isInLonger = ({ record, action, from, to }: ChangeBatch): boolean =>
    places
      .filter((place) => place.recordId === record && place.action !== action)
      .some((place) => place.from <= from && place.to >= to);
  const { steps, linked } = await cutBatches(readLog, told, (id, seq) => ends.has(`${id} ${seq}`));
  const history = await readHistory(snapshot, readLog, { told: told.records, linked });
  const states = publicStates(readStates(history), snapshot);
  return [...steps.values()]
    .flatMap((list) => (list[0]?.kind === 'post' ? netPost(list, states) : list))
    .filter((step) => !isSilent(step, told))
    .sort((a, b) => a.group - b.group || RANKS[a.kind] - RANKS[b.kind] || a.from - b.from)
    .flatMap((step) => {
      const drafts = DRAFTERS[step.kind](step, states, { snapshot, context });
      return isInLonger(step) ? drafts.filter(({ waitsForBuild }) => waitsForBuild) : drafts;
    });
};

/** The snapshot that the drafts are of is still open. */
export const formatEvents = (
  drafts: readonly EventDraft[],
  { generation, changedBytes, nameChanges, now, subscribed, waitsForBuild }: FormatOptions,
): PlannedEvent[] => {
  const ordinals = new Map<string, number>();
  const bodies = new Map<() => Shown, Shown>();
  return [...drafts, ...(changedBytes ? [SITE_CHANGED] : [])].flatMap((draft) => {
    const { action, event, record, root, show } = draft;
    const key = `${action} ${event} ${record}`;
    const ordinal = ordinals.get(key) ?? 0;
    ordinals.set(key, ordinal + 1);
    const isAsked = waitsForBuild === undefined || draft.waitsForBuild === waitsForBuild;
    if (!isAsked || subscribed?.has(event) === false) return [];
    const shown = show === undefined ? undefined : (bodies.get(show) ?? show());
    if (show !== undefined && shown !== undefined) bodies.set(show, shown);
    const changed = draft === SITE_CHANGED ? nameChanges?.() : undefined;
    const text = formatPayload({
      event,
      generation,
      ...(changed !== undefined && { changed }),
      ...(root !== undefined && shown !== undefined && { root, shown }),
    });
    return [
      {
        id: createId(now),
        generation,
        action,
        event,
        recordId: record,
        ordinal,
        ...text,
        waitsForBuild: draft.waitsForBuild,
      },
    ];
  });
};

/** True when some of the names are of events about records, for which the log has to be read. */
export const needsDrafts = (subscribed: ReadonlySet<string>): boolean =>
  [...subscribed].some((event) => event !== SITE_CHANGED.event);

export type EventDraft = {
  readonly action: string;
  readonly event: EventName;
  readonly record: string;
  readonly waitsForBuild: boolean;
  readonly root?: 'post' | 'page' | 'tag' | 'member';
  readonly show?: () => Shown;
};

const SITE_CHANGED: EventDraft = {
  action: '',
  event: 'site.changed',
  record: '',
  waitsForBuild: true,
};

const RANKS: Readonly<Record<EventKind, number>> = { post: 0, tag: 1, member: 2 };

/** Bulk edits, imports, and too many unlabelled records of a kind speak only through site.changed. */
const isSilent = (
  { action, isLabelled, kind, record }: ChangeBatch,
  { floods, turned }: RecordsWithEvents,
): boolean => (isLabelled ? isBulk(action) : floods.has(kind) && !turned.has(record));

type HistoryScope = { readonly told: ReadonlySet<string>; readonly linked: ReadonlySet<string> };

/** With every change of the records' own rows, and of the tags and authors that they show. */
const readHistory = async (
  snapshot: Snapshot,
  readLog: ReadLog,
  { told, linked }: HistoryScope,
): Promise<History> => {
  const embedded = new Set(linked);
  for (const { tag_id } of snapshot.rows('posts_tags', [...told])) embedded.add(tag_id);
  for (const { author_id } of snapshot.rows('posts_authors', [...told])) embedded.add(author_id);
  const changes: ChangeWithOld[] = [];
  for await (const part of readLog()) {
    for (const change of part) {
      if (change.entity === 'settings') continue;
      const isEmbedded = change.entity === 'tags' || change.entity === 'users';
      const ids = [change.record_id, change.old_record_id].filter((id) => id !== null);
      if (ids.some((id) => told.has(id) || (isEmbedded && embedded.has(id)))) {
        changes.push({ ...change, old: snapshot.oldRow(change.seq) });
      }
    }
  }
  // Long bodies were read; what is made of them takes as long.
  await tick();
  return openHistory(changes, (table, keys) => snapshot.rows(table, keys));
};

const netPost = (steps: readonly ChangeBatch[], states: RecordStates): ChangeBatch[] =>
  mergeEvents(steps, (index) => {
    const step = steps[index];
    const seq = step === undefined ? (steps.at(-1)?.to ?? 0) : step.from - 1;
    return states.post(step?.record ?? steps[0]?.record ?? '', seq);
  });

type Scope = { readonly snapshot: Snapshot; readonly context: AdminContext };
type Drafter = (step: ChangeBatch, states: RecordStates, scope: Scope) => EventDraft[];

const DRAFTERS: Readonly<Record<EventKind, Drafter>> = {
  post: (step, states, { context }) => {
    const { action, record } = step;
    const before = states.post(record, step.from - 1);
    const after = states.post(record, step.to);
    const waitsForBuild = [before, after].some((state) => state !== null && isPublicPost(state));
    const shows = {
      edit: () => showPost({ before, after }, context),
      creation: () => showPost({ before: null, after }, context),
      removal: () => showPost({ before, after: null }, context),
    };
    return eventsOfPost(before, after).map(({ type, event, shows: what }) => ({
      action,
      event: `${type}.${event}` as const,
      record,
      waitsForBuild,
      root: type,
      show: shows[what],
    }));
  },
  tag: (step, states, { context }) => {
    const before = states.tag(step.record, step.from - 1);
    const after = states.tag(step.record, step.to);
    const show = () => showTag({ before, after }, context);
    return draftSimple(step, 'tag', { before, after, show });
  },
  member: (step, states, { snapshot, context }) => {
    const before = states.member(step.record, step.from - 1);
    const after = states.member(step.record, step.to);
    const show = () => {
      const subscriptions = after === null ? [] : readSubscriptions(snapshot, after, context);
      return showMember({ before, after: after && { ...after, subscriptions } }, context);
    };
    return draftSimple(step, 'member', { before, after, show });
  },
};

const draftSimple = (
  { action, record }: ChangeBatch,
  kind: 'tag' | 'member',
  states: { readonly before: unknown; readonly after: unknown; readonly show: () => Shown },
): EventDraft[] => {
  const { before, after, show } = states;
  if (before === null && after === null) return [];
  const isSame = before !== null && after !== null && Object.keys(show().previous).length === 0;
  if (isSame) return [];
  const what = before === null ? 'added' : after === null ? 'deleted' : 'edited';
  const event = `${kind}.${what}` as const;
  return [{ action, event, record, waitsForBuild: kind === 'tag', root: kind, show }];
};
