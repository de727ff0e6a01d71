// Which events one step of a post or page makes: the truth table of facts 8.3, from the state before
// and the state after. Pure; the order of the answer is the order in which the table names them.
import { toText } from '../../../base/text/stored-text.ts';
import { parseStoredTime } from '../../../base/time.ts';
import type { PostRecord } from '../../../publication/documents/admin/document-context.ts';
import { gateForAnonymous, readVisibility } from '../../../publication/documents/html/gating.ts';
import { readingTime } from '../../../publication/documents/html/reading-time.ts';
import { isEmailOnly, isPublicPost } from '../../../publication/tables/published-posts.ts';
import type { ColumnUse } from '../../../publication/tables/record-columns.ts';
import { columnsWhere } from '../../../publication/tables/record-tables.ts';
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
  if (isMailedOrAbsent(before) && isMailedOrAbsent(after)) return [];
  if (before === null) return after === null ? [] : created(after, { withTags: true });
  if (after === null) return removed(before, { withTags: true });
  if (typeOf(before) !== typeOf(after)) {
    return [...removed(before, { withTags: false }), ...created(after, { withTags: false })];
  }
  return isChanged(before, after) ? edited(before, after) : [];
};

/** No event shows a post that is for the mail alone: only its coming from the web, or going there, is announced. */
const isMailedOrAbsent = (record: PostRecord | null): boolean =>
  record === null || record.post.status === 'sent' || isEmailOnly(record.meta);

type TagScope = { readonly withTags: boolean };

/** An e-mail-only post that says to be published counts as `sent`. */
const statusOf = (record: PostRecord): string =>
  record.post.status === 'published' && !isPublicPost(record) ? 'sent' : record.post.status;

const created = (after: PostRecord, { withTags }: TagScope): PostEventPlan[] => {
  const status = statusOf(after);
  const events: PostEvent[] = ['added'];
  if (status === 'published' || status === 'scheduled') events.push(status);
  if (withTags) events.push(...after.tags.map(() => 'tag.attached' as const));
  return events.map((event) => ({ type: typeOf(after), event, shows: 'creation' }));
};

const removed = (before: PostRecord, { withTags }: TagScope): PostEventPlan[] => {
  const status = statusOf(before);
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

const statusEvents = (before: PostRecord, after: PostRecord): PostEvent[] => {
  const [old, now] = [statusOf(before), statusOf(after)];
  if (old === now) {
    if (now === 'published') return ['published.edited'];
    const [was, is] = [before, after].map(({ post }) => parseStoredTime(post.published_at));
    return now === 'scheduled' && was !== is ? ['rescheduled'] : [];
  }
  const events: PostEvent[] = [];
  if (old === 'published') events.push('unpublished');
  if (old === 'scheduled' && now !== 'published') events.push('unscheduled');
  if (now === 'published' || now === 'scheduled') events.push(now);
  return events;
};

const TIME_COLUMNS = new Set(['created_at', 'updated_at', 'published_at']);

/** Keys, and plaintext, which is filled in later from html, so no edit of its own. */
const NO_FIELDS = ['id', 'post_id', 'plaintext'];

type Fields = Readonly<Record<'posts' | 'posts_meta', readonly string[]>>;

const fieldsWhere = (isSo: (use: ColumnUse) => boolean): Fields => {
  const list = (table: keyof Fields): string[] =>
    columnsWhere(table, isSo).filter((column) => !NO_FIELDS.includes(column));
  return { posts: list('posts'), posts_meta: list('posts_meta') };
};

const STORED_FIELDS = fieldsWhere(({ logs }) => logs !== null);
/** What published bytes show: on a record that stays published, changing anything else sends nothing. */
const SHOWN_FIELDS = fieldsWhere(({ reads }) => reads !== null);

/** True when a value that the event is about, or the order or choice of links, differs. */
const SHOWN_LINKS = ['tags', 'authors'] as const;
const STORED_LINKS = [...SHOWN_LINKS, 'tiers'] as const;

const isChanged = (before: PostRecord, after: PostRecord): boolean => {
  const isPublished = isPublicPost(before) && isPublicPost(after);
  const fields = isPublished ? SHOWN_FIELDS : STORED_FIELDS;
  const links = isPublished ? SHOWN_LINKS : STORED_LINKS;
  return (
    statusOf(before) !== statusOf(after) ||
    fields.posts.some((column) => column !== 'html' && differs(column, before.post, after.post)) ||
    fields.posts_meta.some((column) => differs(column, before.meta, after.meta)) ||
    links.some((link) => idsOf(before[link]) !== idsOf(after[link])) ||
    // Last: a long body takes long.
    (differs('html', before.post, after.post) && !(isPublished && isSameToStrangers(before, after)))
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

const differs = (column: string, before: object | null, after: object | null): boolean => {
  const [old, now] = [before, after].map((row) =>
    plainValue(column, (row as Readonly<Record<string, unknown>> | null)?.[column]),
  );
  return old !== now;
};

/** Absent, empty and zero values of meta mean the same; times are compared as instants. */
const plainValue = (column: string, value: unknown): unknown => {
  if (TIME_COLUMNS.has(column)) return parseStoredTime(value as string | number | null) ?? value;
  return value === undefined || value === '' || value === 0 ? null : value;
};

const idsOf = (list: readonly { readonly id: string }[]): string => list.map(({ id }) => id).join();

const typeOf = ({ post }: PostRecord): PostType => (post.type === 'page' ? 'page' : 'post');
