// Decides which events one generation sends, from the change log after the published position and the
// snapshot that the generation was built from. Pure but for those reads: the same log and snapshot give
// the same events in the same order. Storing them is the outbox's work, sending the deliverer's.
//
// Order: saves (or stretches of unlabelled rows) as they stand in the log; within one, posts and pages,
// then tags, then members; within a record, the order of facts 8.3; site.changed last.
import { createId } from '../base/ids.ts';
import { BULK_RECORDS_MAX } from '../base/limits.ts';
import type { AdminContext } from '../documents/admin/context.ts';
import type { PlannedEvent, QueuedStep } from '../store/outbox.ts';
import type { EventKind } from '../store/record-tables.ts';
import { isShownPost } from '../store/shown-posts.ts';
import type { Snapshot } from '../store/snapshot.ts';
import type { EventName } from './event-names.ts';
import { type History, openHistory } from './history.ts';
import { readSubscriptions } from './member-billing.ts';
import { netSteps } from './netting.ts';
import { formatBody, type Shown, showMember, showPost, showTag } from './payload.ts';
import { eventsOfPost } from './post-events.ts';
import { type RecordStates, readStates } from './record-states.ts';
import { shownStates } from './shown-states.ts';
import { cutSteps, endOfAction, type Step } from './steps.ts';

type PlanOptions = {
  readonly generation: number;
  /** Seq of the published position; null when the log does not follow it: then only site.changed. */
  readonly after: number | null;
  /**
   * True when a byte that strangers read differs from what the published position's generation had,
   * also when a run that died before queueing had written it already.
   */
  readonly changedBytes: boolean;
  readonly context: AdminContext;
  /** Names that some webhook subscribes to; others are left out. All when absent. */
  readonly subscribed?: ReadonlySet<string>;
  /** What a turn that broke off has queued since the published position. */
  readonly queued?: readonly QueuedStep[];
};

export const planEvents = (snapshot: Snapshot, options: PlanOptions): PlannedEvent[] => {
  // With nobody to tell, history need not be read.
  const isHeard = options.after !== null && options.subscribed?.size !== 0;
  const drafts = isHeard ? draftEvents(snapshot, options, options.after ?? 0) : [];
  if (options.changedBytes) {
    drafts.push({ action: '', event: 'site.changed', record: '', waitsForBuild: true });
  }
  const { generation, context, subscribed } = options;
  const ordinals = new Map<string, number>();
  const bodies = new Map<() => Shown, Shown>();
  return drafts.flatMap(({ action, event, record, waitsForBuild, root, show }) => {
    const key = `${action} ${event} ${record}`;
    const ordinal = ordinals.get(key) ?? 0;
    ordinals.set(key, ordinal + 1);
    if (subscribed !== undefined && !subscribed.has(event)) return [];
    const shown = show === undefined ? undefined : (bodies.get(show) ?? show());
    if (show !== undefined && shown !== undefined) bodies.set(show, shown);
    const payload = formatBody({
      event,
      generation,
      ...(root !== undefined && shown !== undefined && { root, shown }),
    });
    const id = createId(context.now);
    return [{ id, generation, action, event, recordId: record, ordinal, payload, waitsForBuild }];
  });
};

type EventDraft = {
  readonly action: string;
  readonly event: EventName;
  readonly record: string;
  readonly waitsForBuild: boolean;
  readonly root?: 'post' | 'page' | 'tag' | 'member';
  readonly show?: () => Shown;
};

const draftEvents = (snapshot: Snapshot, options: PlanOptions, after: number): EventDraft[] => {
  const ends = new Set(
    options.queued?.map(({ action, recordId }) => `${recordId} ${endOfAction(action)}`),
  );
  const steps = cutSteps(
    [...snapshot.changesAfter(after)],
    (table, ids) => new Set(snapshot.rows(table, ids).map(({ id }) => id)),
    (record, seq) => ends.has(`${record} ${seq}`),
  );
  const isSilent = silence(steps);
  const told = new Set(
    [...steps].filter(([, list]) => !list.every(isSilent)).map(([key]) => key.split(' ')[1]),
  );
  if (told.size === 0) return [];
  const states = shownStates(readStates(openHistoryOf(snapshot, { after, told })), snapshot);
  return [...steps.values()]
    .filter((list) => told.has(list[0]?.record))
    .flatMap((list) => (list[0]?.kind === 'post' ? netPost(list, states) : list))
    .filter((step) => !isSilent(step))
    .sort((a, b) => a.group - b.group || RANKS[a.kind] - RANKS[b.kind] || a.from - b.from)
    .flatMap((step) => DRAFTERS[step.kind](step, states, { snapshot, context: options.context }));
};

const RANKS: Readonly<Record<EventKind, number>> = { post: 0, tag: 1, member: 2 };

/** Bulk edits, imports, and a wake with too many unlabelled records speak only through site.changed. */
const silence = (steps: ReadonlyMap<string, readonly Step[]>): ((step: Step) => boolean) => {
  const unlabelled = [...steps.values()].filter((list) => list.some((step) => !step.isLabelled));
  const isFlood = unlabelled.length > BULK_RECORDS_MAX;
  return ({ action, isLabelled }) => (isLabelled ? /^(?:bulk|import):/.test(action) : isFlood);
};

type HistoryScope = {
  readonly after: number;
  readonly told: ReadonlySet<string | undefined>;
};

const openHistoryOf = (snapshot: Snapshot, { after, told }: HistoryScope): History => {
  function* relevant() {
    for (const change of snapshot.changesWithOldAfter(after)) {
      const isEmbedded = change.entity === 'tags' || change.entity === 'users';
      if (isEmbedded || told.has(change.record_id) || told.has(change.old_record_id ?? undefined)) {
        if (change.entity !== 'settings') yield change;
      }
    }
  }
  return openHistory(relevant(), (table, keys) => snapshot.rows(table, keys));
};

const netPost = (steps: readonly Step[], states: RecordStates): Step[] =>
  netSteps(steps, (index) => {
    const step = steps[index];
    const seq = step === undefined ? (steps.at(-1)?.to ?? 0) : step.from - 1;
    return states.post(step?.record ?? steps[0]?.record ?? '', seq);
  });

type Scope = { readonly snapshot: Snapshot; readonly context: AdminContext };
type Drafter = (step: Step, states: RecordStates, scope: Scope) => EventDraft[];

const DRAFTERS: Readonly<Record<EventKind, Drafter>> = {
  post: (step, states, { context }) => {
    const { action, record } = step;
    const before = states.post(record, step.from - 1);
    const after = states.post(record, step.to);
    const waitsForBuild = [before, after].some((state) => state !== null && isShownPost(state));
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
  { action, record }: Step,
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
