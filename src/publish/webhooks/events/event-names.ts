// The 29 event names that can be subscribed to, and the test event (facts 8.2).

const POST_EVENTS = [
  'added',
  'deleted',
  'edited',
  'published',
  'published.edited',
  'unpublished',
  'scheduled',
  'unscheduled',
  'rescheduled',
  'tag.attached',
  'tag.detached',
] as const;

const RECORD_EVENTS = ['added', 'edited', 'deleted'] as const;

export type PostEvent = (typeof POST_EVENTS)[number];
export type RecordEvent = (typeof RECORD_EVENTS)[number];
/** A post's `type` column; also the root key of its payloads. */
export type PostType = 'post' | 'page';

export type EventName =
  | 'site.changed'
  | `${PostType}.${PostEvent}`
  | `tag.${RecordEvent}`
  | `member.${RecordEvent}`;

export const EVENT_NAMES: readonly EventName[] = [
  'site.changed',
  ...POST_EVENTS.map((name) => `post.${name}` as const),
  ...POST_EVENTS.map((name) => `page.${name}` as const),
  ...RECORD_EVENTS.map((name) => `tag.${name}` as const),
  ...RECORD_EVENTS.map((name) => `member.${name}` as const),
];

export const isEventName = (text: string): text is EventName =>
  (EVENT_NAMES as readonly string[]).includes(text);

/** Sent on request only, to one webhook; nothing subscribes to it. */
export const TEST_EVENT = 'webhook.test';
