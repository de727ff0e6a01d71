// Each row of facts 8.3: what happens, through a labelled admin save and through plain SQL, and the
// events it makes in their order. Written for posts; pages run through the same table.
import { describe, expect, test } from 'vitest';
import { EVENT_NAMES } from '../../../src/delivery/event-names.ts';
import {
  bodyOf,
  namesOf,
  plan,
  positionOf,
  run,
  type Statement,
  WRITINGS,
} from '../../helpers/events.ts';
import { createPublication, type Publication, uuidOf } from '../../helpers/publication.ts';

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
  events: readonly string[],
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

const TABLE: readonly Row[] = [
  ['create draft', { absent: true }, (type) => [insertPost(type, 'draft')], ['P.added']],
  [
    'create published',
    { absent: true },
    (type) => [insertPost(type, 'published')],
    ['P.added', 'P.published'],
  ],
  [
    'create published without a time, which a trigger adds',
    { absent: true },
    (type) => [
      [
        `INSERT INTO posts (id, uuid, title, slug, type, status, created_at)
         VALUES (?, 'u', 'T', 's', ?, 'published', ?)`,
        POST,
        type,
        TIME,
      ],
    ],
    ['P.added', 'P.published'],
  ],
  [
    'create scheduled',
    { absent: true },
    (type) => [insertPost(type, 'scheduled')],
    ['P.added', 'P.scheduled'],
  ],
  [
    'create with tags, one of them brand-new',
    { absent: true },
    (type) => [NEW_TAG, insertPost(type, 'published'), link(TAG_A), link(TAG_C, 1)],
    ['P.added', 'P.published', 'P.tag.attached', 'P.tag.attached', 'tag.added'],
  ],
  ['draft edit', { status: 'draft' }, () => [set('title = ?', 'X')], ['P.edited']],
  [
    'draft -> published',
    { status: 'draft' },
    () => [set("status = 'published'")],
    ['P.published', 'P.edited'],
  ],
  [
    'scheduled -> published',
    { status: 'scheduled' },
    () => [set("status = 'published'")],
    ['P.published', 'P.edited'],
  ],
  [
    'published edit',
    { status: 'published' },
    () => [set('html = ?', '<p>new</p>')],
    ['P.published.edited', 'P.edited'],
  ],
  [
    'tags of a published post changed',
    { status: 'published', tags: [TAG_A] },
    () => [unlink(TAG_A), link(TAG_B)],
    ['P.tag.attached', 'P.tag.detached', 'P.published.edited', 'P.edited'],
  ],
  [
    'several tags attached to a draft, several detached in one save',
    { status: 'draft', tags: [TAG_A, TAG_B] },
    () => [unlink(TAG_A), unlink(TAG_B), NEW_TAG, link(TAG_C)],
    ['P.tag.attached', 'P.tag.detached', 'P.edited', 'tag.added'],
  ],
  [
    'only the order of tags changed',
    { status: 'draft', tags: [TAG_A, TAG_B] },
    () => [['UPDATE posts_tags SET sort_order = 9 WHERE tag_id = ?', TAG_A]],
    ['P.edited'],
  ],
  [
    'only a posts_meta field changed',
    { status: 'published' },
    () => [META],
    ['P.published.edited', 'P.edited'],
  ],
  [
    'no change',
    { status: 'published', tags: [TAG_A] },
    () => [set('title = title, html = html'), unlink(TAG_A), link(TAG_A)],
    [],
  ],
  [
    'published: a field that no published byte shows',
    { status: 'published' },
    () => [set("email_recipient_filter = 'none'")],
    [],
  ],
  [
    'published -> draft',
    { status: 'published' },
    () => [set("status = 'draft'")],
    ['P.unpublished', 'P.edited'],
  ],
  [
    'draft -> scheduled',
    { status: 'draft' },
    () => [set("status = 'scheduled', published_at = ?", LATER)],
    ['P.scheduled', 'P.edited'],
  ],
  [
    'published -> scheduled',
    { status: 'published' },
    () => [set("status = 'scheduled', published_at = ?", LATER)],
    ['P.unpublished', 'P.scheduled', 'P.edited'],
  ],
  [
    'scheduled, published_at changed',
    { status: 'scheduled' },
    () => [set('published_at = ?', LATER)],
    ['P.rescheduled', 'P.edited'],
  ],
  ['scheduled, other edit', { status: 'scheduled' }, () => [set("title = 'X'")], ['P.edited']],
  [
    'scheduled -> draft',
    { status: 'scheduled' },
    () => [set("status = 'draft'")],
    ['P.unscheduled', 'P.edited'],
  ],
  ['delete draft', { status: 'draft' }, () => [REMOVE], ['P.deleted']],
  [
    'delete scheduled with tags',
    { status: 'scheduled', tags: [TAG_A, TAG_B] },
    () => [REMOVE],
    ['P.tag.detached', 'P.deleted'],
  ],
  [
    'delete published',
    { status: 'published', tags: [TAG_A] },
    () => [REMOVE],
    ['P.tag.detached', 'P.unpublished', 'P.deleted'],
  ],
  [
    'published -> e-mail only',
    { status: 'published' },
    () => [setEmailOnly(1)],
    ['P.unpublished', 'P.edited'],
  ],
  [
    'published -> e-mail only, by a value that is none',
    { status: 'published' },
    () => [setEmailOnly('perhaps')],
    ['P.unpublished', 'P.edited'],
  ],
  [
    'e-mail only -> draft -> published, all the while e-mail only',
    { status: 'published', emailOnly: true },
    () => [set("status = 'draft'"), set("status = 'published', title = 'X'")],
    [],
  ],
  [
    'e-mail only -> published',
    { status: 'published', emailOnly: true },
    () => [setEmailOnly(0)],
    ['P.published', 'P.edited'],
  ],
  [
    'e-mail only, other edit',
    { status: 'published', emailOnly: true },
    () => [set("title = 'X'")],
    [],
  ],
  [
    'draft that is e-mail only -> published',
    { status: 'draft', emailOnly: true },
    () => [set("status = 'published'")],
    [],
  ],
  [
    'create published and e-mail only',
    { absent: true },
    (type) => [insertPost(type, 'published'), setEmailOnly(1)],
    [],
  ],
  ['delete e-mail only', { status: 'published', emailOnly: true }, () => [REMOVE], []],
  ['draft -> sent', { status: 'draft' }, () => [set("status = 'sent'")], ['P.edited']],
  [
    'type change of a draft',
    { status: 'draft' },
    (type) => [set('type = ?', other(type))],
    ['P.deleted', 'O.added'],
  ],
  [
    'type change of a published record',
    { status: 'published', tags: [TAG_A] },
    (type) => [set('type = ?', other(type))],
    ['P.unpublished', 'P.deleted', 'O.added', 'O.published'],
  ],
  [
    'type change of a scheduled record',
    { status: 'scheduled' },
    (type) => [set('type = ?', other(type))],
    ['P.unscheduled', 'P.deleted', 'O.added', 'O.scheduled'],
  ],
  [
    'publish undone in the same save',
    { status: 'draft' },
    () => [set("status = 'published'"), set("status = 'draft', published_at = NULL")],
    [],
  ],
  [
    'created and deleted at once',
    { absent: true },
    (type) => [insertPost(type, 'published'), REMOVE],
    [],
  ],
];

const other = (type: string): string => (type === 'post' ? 'page' : 'post');

const prepare = async (type: string, before: Setup): Promise<Publication> => {
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
  describe.each(WRITINGS)('by %s', (writing) => {
    test.each(TABLE)('%s', async (_action, before, statements, events) => {
      const publication = await prepare(type, before);
      const after = positionOf(publication);
      await run(publication, statements(type), writing === 'admin save' ? 'save-1' : null);
      const planned = await plan(publication, after);
      const expected = events.map((name) => name.replace(/^P/, type).replace(/^O/, other(type)));
      expect(namesOf(planned)).toEqual(expected);
      if (writing === 'admin save')
        expect(planned.every(({ action }) => action === 'save-1')).toBe(true);
      for (const name of expected)
        expect(bodyOf(planned, name)).toMatchObject({ event: name, generation: 7 });
      const keys = planned.map((e) => [e.action, e.event, e.recordId, e.ordinal].join(' '));
      expect(new Set(keys).size).toBe(planned.length);
    });
  });
});

describe.each(WRITINGS)('tags by %s', (writing) => {
  const cases: readonly (readonly [string, Statement, readonly string[]])[] = [
    ['added', NEW_TAG, ['tag.added']],
    ['edited', ["UPDATE tags SET name = 'Z' WHERE id = ?", TAG_A], ['tag.edited']],
    ['not changed', ['UPDATE tags SET name = name WHERE id = ?', TAG_A], []],
    [
      'deleted, and the posts it was on stay silent',
      ['DELETE FROM tags WHERE id = ?', TAG_A],
      ['tag.deleted'],
    ],
  ];
  test.each(cases)('%s', async (_action, statement, events) => {
    const publication = await prepare('post', { status: 'published', tags: [TAG_A] });
    const after = positionOf(publication);
    await run(publication, [statement], writing === 'admin save' ? 'save-1' : null);
    expect(namesOf(await plan(publication, after))).toEqual(events);
  });
});

test('each event of posts is made by a row', () => {
  const made = new Set(TABLE.flatMap(([, , , events]) => events));
  const names = EVENT_NAMES.filter((name) => name.startsWith('post.'));
  expect(names.filter((name) => !made.has(name.replace(/^post/, 'P')))).toEqual([]);
});
