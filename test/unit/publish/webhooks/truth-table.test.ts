// Each row of facts 8.3: what happens, through a labelled admin save and through plain SQL, and the
// events it makes in their order. Written for posts; pages run through the same table.
import { describe, expect, test } from 'vitest';
import { EVENT_NAMES } from '../../../../src/publish/webhooks/events/event-names.ts';
import {
  bodyOf,
  namesOf,
  plan,
  positionOf,
  run,
  type Statement,
  WRITINGS,
} from '../../../helpers/events.ts';
import { createPublication, isOnPostgres, uuidOf } from '../../../helpers/publication.ts';

const POST = 'a'.repeat(24);
const TAG_A = 'b'.repeat(24);
const TAG_B = 'c'.repeat(24);
const TAG_C = 'd'.repeat(24);
const TIME = '2026-01-01T10:00:00.000Z';
const LATER = '2027-05-05T10:00:00.000Z';

type Setup = {
  readonly status?: string;
  readonly tags?: readonly string[];
  readonly absent?: boolean;
  readonly emailOnly?: boolean;
};

type Row = readonly [
  action: string,
  before: Setup,
  statements: (type: string) => readonly Statement[],
  events: string,
];

const insertPost = (type: string, status: string): Statement => [
  `INSERT INTO posts (id, uuid, title, slug, type, status, created_at, updated_at, published_at)
   VALUES (?, ?, 'New', 'new', ?, ?, ?, ?, ?)`,
  POST,
  uuidOf(POST),
  type,
  status,
  TIME,
  TIME,
  status === 'draft' ? null : TIME,
];
const link = (tag: string, order = 0): Statement => [
  'INSERT INTO posts_tags (id, post_id, tag_id, sort_order) VALUES (?, ?, ?, ?)',
  `e${tag.slice(1)}`,
  POST,
  tag,
  order,
];
const set = (assignments: string, ...values: unknown[]): Statement => [
  `UPDATE posts SET ${assignments} WHERE id = ?`,
  ...values,
  POST,
];
const unlink = (tag: string): Statement => ['DELETE FROM posts_tags WHERE tag_id = ?', tag];
const REMOVE: Statement = ['DELETE FROM posts WHERE id = ?', POST];
const NEW_TAG: Statement = [
  'INSERT INTO tags (id, name, slug, created_at) VALUES (?, ?, ?, ?)',
  TAG_C,
  'Brand new',
  'brand-new',
  TIME,
];
const META: Statement = [
  'INSERT INTO posts_meta (id, post_id, meta_title) VALUES (?, ?, ?)',
  'f'.repeat(24),
  POST,
  'Meta',
];

const setEmailOnly = (value: unknown): Statement => [
  `INSERT INTO posts_meta (id, post_id, email_only) VALUES (?, ?, ?)
   ON CONFLICT (post_id) DO UPDATE SET email_only = excluded.email_only`,
  'f'.repeat(24),
  POST,
  value,
];

/** PostgreSQL holds whole numbers alone. */
const NO_FLAG = isOnPostgres ? 2 : 'perhaps';

const DRAFT: Setup = { status: 'draft' };
const SCHEDULED: Setup = { status: 'scheduled' };
const PUBLISHED: Setup = { status: 'published' };
const ABSENT: Setup = { absent: true };
const EMAIL_ONLY: Setup = { status: 'published', emailOnly: true };
const withTags = (before: Setup, ...tags: string[]): Setup => ({ ...before, tags });
const put = (status: string, ...values: unknown[]): Statement =>
  set(`status = '${status}'${values.length === 0 ? '' : ', published_at = ?'}`, ...values);
const SCHEDULE = put('scheduled', LATER);
const DELETE = () => [REMOVE];
/** A trigger adds the time. */
const UNTIMED = `INSERT INTO posts (id, uuid, title, slug, type, status, created_at)
  VALUES (?, 'u', 'T', 's', ?, 'published', ?)`;
const SORT: Statement = ['UPDATE posts_tags SET sort_order = 9 WHERE tag_id = ?', TAG_A];

/** `P` is the type of the record, `O` the other one. */
const TABLE: readonly Row[] = [
  ['create draft', ABSENT, (type) => [insertPost(type, 'draft')], 'P.added'],
  ['create published', ABSENT, (type) => [insertPost(type, 'published')], 'P.added P.published'],
  ['without a time', ABSENT, (type) => [[UNTIMED, POST, type, TIME]], 'P.added P.published'],
  ['create scheduled', ABSENT, (type) => [insertPost(type, 'scheduled')], 'P.added P.scheduled'],
  [
    'create with tags, one of them brand-new',
    ABSENT,
    (type) => [NEW_TAG, insertPost(type, 'published'), link(TAG_A), link(TAG_C, 1)],
    'P.added P.published P.tag.attached P.tag.attached tag.added',
  ],
  ['draft edit', DRAFT, () => [set('title = ?', 'X')], 'P.edited'],
  ['draft -> published', DRAFT, () => [put('published')], 'P.published P.edited'],
  ['scheduled -> published', SCHEDULED, () => [put('published')], 'P.published P.edited'],
  ['published edit', PUBLISHED, () => [set('html = ?', '<p>n</p>')], 'P.published.edited P.edited'],
  [
    'tags of a published post changed',
    withTags(PUBLISHED, TAG_A),
    () => [unlink(TAG_A), link(TAG_B)],
    'P.tag.attached P.tag.detached P.published.edited P.edited',
  ],
  [
    'several tags attached to a draft, several detached in one save',
    withTags(DRAFT, TAG_A, TAG_B),
    () => [unlink(TAG_A), unlink(TAG_B), NEW_TAG, link(TAG_C)],
    'P.tag.attached P.tag.detached P.edited tag.added',
  ],
  ['only the order of tags changed', withTags(DRAFT, TAG_A, TAG_B), () => [SORT], 'P.edited'],
  ['only a posts_meta field changed', PUBLISHED, () => [META], 'P.published.edited P.edited'],
  [
    'no change',
    withTags(PUBLISHED, TAG_A),
    () => [set('title = title, html = html'), unlink(TAG_A), link(TAG_A)],
    '',
  ],
  ['a field that no byte shows', PUBLISHED, () => [set("email_recipient_filter = 'none'")], ''],
  ['published -> draft', PUBLISHED, () => [put('draft')], 'P.unpublished P.edited'],
  ['draft -> scheduled', DRAFT, () => [SCHEDULE], 'P.scheduled P.edited'],
  ['published -> scheduled', PUBLISHED, () => [SCHEDULE], 'P.unpublished P.scheduled P.edited'],
  ['another time', SCHEDULED, () => [set('published_at = ?', LATER)], 'P.rescheduled P.edited'],
  ['scheduled, other edit', SCHEDULED, () => [set("title = 'X'")], 'P.edited'],
  ['scheduled -> draft', SCHEDULED, () => [put('draft')], 'P.unscheduled P.edited'],
  ['delete draft', DRAFT, DELETE, 'P.deleted'],
  ['delete scheduled', withTags(SCHEDULED, TAG_A, TAG_B), DELETE, 'P.tag.detached P.deleted'],
  [
    'delete published',
    withTags(PUBLISHED, TAG_A),
    DELETE,
    'P.tag.detached P.unpublished P.deleted',
  ],
  ['published -> e-mail only', PUBLISHED, () => [setEmailOnly(1)], 'P.unpublished P.edited'],
  ['by a value that is none', PUBLISHED, () => [setEmailOnly(NO_FLAG)], 'P.unpublished P.edited'],
  [
    'e-mail only -> draft -> published, all the while e-mail only',
    EMAIL_ONLY,
    () => [put('draft'), set("status = 'published', title = 'X'")],
    '',
  ],
  ['e-mail only -> published', EMAIL_ONLY, () => [setEmailOnly(0)], 'P.published P.edited'],
  ['e-mail only, other edit', EMAIL_ONLY, () => [set("title = 'X'")], ''],
  ['e-mail only draft -> published', { ...EMAIL_ONLY, ...DRAFT }, () => [put('published')], ''],
  ['create e-mail only', ABSENT, (type) => [insertPost(type, 'published'), setEmailOnly(1)], ''],
  ['delete e-mail only', EMAIL_ONLY, DELETE, ''],
  ['draft -> sent', DRAFT, () => [put('sent')], 'P.edited'],
  ['type of a draft', DRAFT, (type) => [set('type = ?', other(type))], 'P.deleted O.added'],
  [
    'type of a published record',
    withTags(PUBLISHED, TAG_A),
    (type) => [set('type = ?', other(type))],
    'P.unpublished P.deleted O.added O.published',
  ],
  [
    'type of a scheduled record',
    SCHEDULED,
    (type) => [set('type = ?', other(type))],
    'P.unscheduled P.deleted O.added O.scheduled',
  ],
  ['publish undone', DRAFT, () => [put('published'), put('draft', null)], ''],
  ['created and deleted at once', ABSENT, (type) => [insertPost(type, 'published'), REMOVE], ''],
  ['tag added', ABSENT, () => [NEW_TAG], 'tag.added'],
  ['tag edited', ABSENT, () => [["UPDATE tags SET name = 'Z' WHERE id = ?", TAG_A]], 'tag.edited'],
  ['tag not changed', ABSENT, () => [['UPDATE tags SET name = name']], ''],
  [
    'tag deleted, and the posts it was on stay silent',
    withTags(PUBLISHED, TAG_A),
    () => [['DELETE FROM tags WHERE id = ?', TAG_A]],
    'tag.deleted',
  ],
];

const other = (type: string): string => (type === 'post' ? 'page' : 'post');

const prepare = async (type: string, before: Setup) => {
  const publication = await createPublication();
  publication.insert('tags', { id: TAG_A, name: 'A', slug: 'a' });
  publication.insert('tags', { id: TAG_B, name: 'B', slug: 'b' });
  if (before.absent) return publication;
  const { status = 'draft', tags = [], emailOnly = false } = before;
  const published_at = status === 'draft' ? null : TIME;
  publication.insert('posts', { id: POST, type, status, html: '<p>a</p>', published_at });
  if (emailOnly) await run(publication, [setEmailOnly(1)], null);
  for (const [index, tag] of tags.entries()) {
    await run(publication, [link(tag, index)], null);
  }
  return publication;
};

describe.each(['post', 'page'])('%s', (type) => {
  test.each(WRITINGS)('by %s', async (writing) => {
    const found: string[] = [];
    for (const [action, before, statements] of TABLE) {
      const publication = await prepare(type, before);
      const after = positionOf(publication);
      await run(publication, statements(type), writing === 'admin save' ? 'save-1' : null);
      const planned = await plan(publication, after);
      found.push(`${action}: ${namesOf(planned).join(' ')}`);
      if (writing === 'admin save')
        expect(planned.every((event) => event.action === 'save-1')).toBe(true);
      for (const event of namesOf(planned))
        expect(bodyOf(planned, event)).toMatchObject({ event, generation: 7 });
      const keys = planned.map((e) => [e.action, e.event, e.recordId, e.ordinal].join(' '));
      expect(new Set(keys).size).toBe(planned.length);
      await publication.close();
    }
    const spell = (events: string): string =>
      events.replace(/\bP\b/g, type).replace(/\bO\b/g, other(type));
    expect(found).toEqual(TABLE.map(([action, , , events]) => `${action}: ${spell(events)}`));
  });
});

test('each event of posts is made by a row', () => {
  const made = new Set(TABLE.flatMap(([, , , events]) => events.split(' ')));
  const names = EVENT_NAMES.filter((name) => name.startsWith('post.'));
  expect(names.filter((name) => !made.has(name.replace(/^post/, 'P')))).toEqual([]);
});
