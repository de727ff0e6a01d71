// Which events one step of a post or page makes: the truth table of facts 8.3, from the state before
// and the state after. Pure; the order of the answer is the order in which the table names them.
import { parseStoredTime } from '../base/time.ts';
import type { PostRecord } from '../documents/admin/context.ts';
import { gateForAnonymous, readVisibility } from '../documents/gating.ts';
import { readingTime } from '../documents/reading-time.ts';
import { toText } from '../documents/stored-text.ts';
import type { PostEvent, PostType } from './event-names.ts';

export type PostEventPlan = {
  readonly type: PostType;
  readonly event: PostEvent;
  /** What the payload shows: the record's state after the step, or that it is gone. */
  readonly shows: 'edit' | 'creation' | 'removal';
};

export const eventsOfPost = (
  before: PostRecord | null,
  after: PostRecord | null,
): PostEventPlan[] => {
  if (before === null) return after === null ? [] : created(after, { withTags: true });
  if (after === null) return removed(before, { withTags: true });
  if (typeOf(before) !== typeOf(after)) {
    return [...removed(before, { withTags: false }), ...created(after, { withTags: false })];
  }
  return isChanged(before, after) ? edited(before, after) : [];
};

type TagScope = { readonly withTags: boolean };

const created = (after: PostRecord, { withTags }: TagScope): PostEventPlan[] => {
  const { status } = after.post;
  const events: PostEvent[] = ['added'];
  if (status === 'published' || status === 'scheduled') events.push(status);
  if (withTags) events.push(...after.tags.map(() => 'tag.attached' as const));
  return events.map((event) => ({ type: typeOf(after), event, shows: 'creation' }));
};

const removed = (before: PostRecord, { withTags }: TagScope): PostEventPlan[] => {
  const { status } = before.post;
  const events: PostEvent[] = [];
  if (withTags && before.tags.length > 0) events.push('tag.detached');
  if (status === 'published') events.push('unpublished');
  if (status === 'scheduled' && !withTags) events.push('unscheduled');
  events.push('deleted');
  return events.map((event) => ({ type: typeOf(before), event, shows: 'removal' }));
};

const edited = (before: PostRecord, after: PostRecord): PostEventPlan[] => {
  const old = new Set(before.tags.map(({ id }) => id));
  const now = new Set(after.tags.map(({ id }) => id));
  const attached = after.tags.filter(({ id }) => !old.has(id));
  return [
    ...attached.map(() => 'tag.attached' as const),
    ...(before.tags.some(({ id }) => !now.has(id)) ? ['tag.detached' as const] : []),
    ...statusEvents(before, after),
    'edited' as const,
  ].map((event) => ({ type: typeOf(after), event, shows: 'edit' }));
};

const statusEvents = ({ post: old }: PostRecord, { post: now }: PostRecord): PostEvent[] => {
  if (old.status === now.status) {
    if (now.status === 'published') return ['published.edited'];
    const isMoved = parseStoredTime(old.published_at) !== parseStoredTime(now.published_at);
    return now.status === 'scheduled' && isMoved ? ['rescheduled'] : [];
  }
  const events: PostEvent[] = [];
  if (old.status === 'published') events.push('unpublished');
  if (old.status === 'scheduled' && now.status !== 'published') events.push('unscheduled');
  if (now.status === 'published' || now.status === 'scheduled') events.push(now.status);
  return events;
};

const TIME_COLUMNS = new Set(['created_at', 'updated_at', 'published_at']);
/** plaintext is filled in later from html, so no edit of its own. */
const DERIVED_COLUMNS = ['plaintext'];
const META_KEYS = ['id', 'post_id'];
/** What no published byte shows: on a record that stays published, changing it sends nothing. */
const UNPUBLISHED_COLUMNS = [
  'locale',
  'email_recipient_filter',
  'newsletter_id',
  'show_title_and_feature_image',
  'frontmatter',
  'email_only',
];

/** True when a value that the event is about, or the order or choice of links, differs. */
const isChanged = (before: PostRecord, after: PostRecord): boolean => {
  const isPublished = before.post.status === 'published' && after.post.status === 'published';
  const ignored = new Set(
    isPublished ? [...DERIVED_COLUMNS, ...UNPUBLISHED_COLUMNS] : DERIVED_COLUMNS,
  );
  if (isPublished && before.post.html !== after.post.html && isSameToStrangers(before, after)) {
    ignored.add('html');
  }
  return (
    differs(before.post, after.post, ignored) ||
    differs(before.meta ?? {}, after.meta ?? {}, new Set([...ignored, ...META_KEYS])) ||
    idsOf(before.tags) !== idsOf(after.tags) ||
    idsOf(before.authors) !== idsOf(after.authors) ||
    (!isPublished && idsOf(before.tiers) !== idsOf(after.tiers))
  );
};

/** True when the bodies differ at most in what is gated. */
const isSameToStrangers = ({ post: old }: PostRecord, { post: now }: PostRecord): boolean => {
  const [shown, shownNow] = [old, now].map(({ html, visibility }) =>
    gateForAnonymous(toText(html), readVisibility(visibility)),
  );
  return shown?.html === shownNow?.html && minutesOf(old) === minutesOf(now);
};

const minutesOf = ({ html, feature_image }: PostRecord['post']): number =>
  readingTime(Buffer.from(toText(html)), Boolean(feature_image));

const differs = (before: object, after: object, ignored: ReadonlySet<string>): boolean => {
  const old: Readonly<Record<string, unknown>> = { ...before };
  const now: Readonly<Record<string, unknown>> = { ...after };
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].some(
    (column) =>
      !ignored.has(column) && plainValue(column, old[column]) !== plainValue(column, now[column]),
  );
};

/** Absent, empty and zero values of meta mean the same; times are compared as instants. */
const plainValue = (column: string, value: unknown): unknown => {
  if (TIME_COLUMNS.has(column)) return parseStoredTime(value as string | number | null) ?? value;
  return value === undefined || value === '' || value === 0 ? null : value;
};

const idsOf = (list: readonly { readonly id: string }[]): string => list.map(({ id }) => id).join();

const typeOf = ({ post }: PostRecord): PostType => (post.type === 'page' ? 'page' : 'post');
