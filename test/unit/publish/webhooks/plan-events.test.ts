import { describe, expect, test } from 'vitest';
import {
  formatPayload,
  type Shown,
  showPost,
} from '../../../../src/publish/webhooks/events/payload.ts';
import { adminContext } from '../../../helpers/admin-context.ts';
import {
  namesOf,
  plan,
  planEvents,
  positionOf,
  run,
  type Statement,
  shownOf,
} from '../../../helpers/events.ts';
import { createPublication, isOnPostgres } from '../../../helpers/publication.ts';

const NOW = '2026-01-01T10:00:00.000Z';

const status = (id: string, value: string): Statement => [
  'UPDATE posts SET status = ? WHERE id = ?',
  value,
  id,
];

describe('actions of one record in one generation are netted', () => {
  test('taken back and published again counts as an edit', async () => {
    const publication = await createPublication();
    const post = publication.insert('posts', { status: 'published', published_at: NOW });
    const after = positionOf(publication);
    await run(publication, [status(post, 'draft')], 'save-1');
    await run(publication, [['UPDATE posts SET title = ? WHERE id = ?', 'X', post]], 'save-2');
    await run(publication, [status(post, 'published')], 'save-3');
    const events = await plan(publication, after);
    expect(namesOf(events)).toEqual(['post.published.edited', 'post.edited']);
    expect(shownOf(events, 'post.edited').previous).toMatchObject({ title: `Title ${post}` });
  });

  test('a draft created and published by two saves keeps both actions', async () => {
    const publication = await createPublication();
    const after = positionOf(publication);
    const post = 'a'.repeat(24);
    const insert: Statement = [
      "INSERT INTO posts (id, uuid, title, slug, created_at) VALUES (?, 'u', 't', 's', ?)",
      post,
      NOW,
    ];
    await run(publication, [insert], 'save-1');
    await run(publication, [status(post, 'published')], 'save-2');
    const events = await plan(publication, after);
    expect(events.map(({ event, action }) => [event, action])).toEqual([
      ['post.added', 'save-1'],
      ['post.published', 'save-2'],
      ['post.edited', 'save-2'],
    ]);
    expect(shownOf(events, 'post.added').current).toMatchObject({ status: 'draft' });
    expect(events.map(({ waitsForBuild }) => waitsForBuild)).toEqual([false, true, true]);
  });

  test('unlabelled rows around a save stay apart from it', async () => {
    const publication = await createPublication();
    const post = publication.insert('posts', {});
    const after = positionOf(publication);
    const title = (text: string): Statement => [
      'UPDATE posts SET title = ? WHERE id = ?',
      text,
      post,
    ];
    await run(publication, [title('1'), title('2')], null);
    await run(publication, [title('3')], 'save-1');
    await run(publication, [title('4')], null);
    const events = await plan(publication, after);
    const titles = events.map(({ payload }) => {
      const { post: shown } = JSON.parse(payload);
      return [shown.previous.title, shown.current.title];
    });
    expect(titles).toEqual([
      [`Title ${post}`, '2'],
      ['2', '3'],
      ['3', '4'],
    ]);
    expect(new Set(events.map(({ action }) => action)).size).toBe(3);
  });
});

describe('only site.changed', () => {
  test.each(['bulk:1', 'import:1'])('%s', async (action) => {
    const publication = await createPublication();
    const post = publication.insert('posts', {});
    const after = positionOf(publication);
    await run(publication, [status(post, 'published')], action);
    const changed = await plan(publication, after, { changedBytes: true });
    expect(namesOf(changed)).toEqual(['site.changed']);
    expect(await plan(publication, after, { changedBytes: false })).toEqual([]);
  });

  test('more than 100 unlabelled records in one wake, and a save among them still speaks', async () => {
    const publication = await createPublication();
    const posts = Array.from({ length: 101 }, () => publication.insert('posts', {}));
    const after = positionOf(publication);
    for (const post of posts.slice(1)) await run(publication, [status(post, 'published')], null);
    expect(
      (await plan(publication, after)).filter(({ event }) => event === 'post.published'),
    ).toHaveLength(100);
    await run(publication, [status(posts[0] ?? '', 'published')], null);
    expect(namesOf(await plan(publication, after, { changedBytes: true }))).toEqual([
      'site.changed',
    ]);
    await run(publication, [["UPDATE posts SET title = 'X' WHERE id = ?", posts[0]]], 'save-1');
    expect(namesOf(await plan(publication, after, { changedBytes: true }))).toEqual([
      'post.published.edited',
      'post.edited',
      'site.changed',
    ]);
  });

  test('a flood of one kind, or of rows that change nothing, swallows no other event', async () => {
    const publication = await createPublication();
    const { shell, insert } = publication;
    const post = insert('posts', {});
    for (let made = 0; made < 150; made += 1) insert('members', { email: `m${made}@x.test` });
    const after = positionOf(publication);
    shell.exec("UPDATE members SET note = 'x'; UPDATE posts SET title = title");
    await run(publication, [status(post, 'published')], null);
    expect(namesOf(await plan(publication, after))).toEqual(['post.published', 'post.edited']);
  });

  test('what a flood of posts publishes or takes back is told, up to 100 of them', async () => {
    const publication = await createPublication();
    const { shell, insert } = publication;
    const [draft = '', shown = ''] = ['draft', 'published'].map((state) =>
      insert('posts', { status: state, published_at: '2026-01-01' }),
    );
    const [mailed = '', open = ''] = [1, 0].map((email_only) => {
      const id = insert('posts', { status: 'published', published_at: '2026-01-01' });
      insert('posts_meta', { post_id: id, email_only });
      return id;
    });
    for (let made = 0; made < 150; made += 1) {
      insert('posts_meta', { post_id: insert('posts', { status: 'published' }), og_title: 'O' });
    }
    const after = positionOf(publication);
    shell.exec("UPDATE posts SET title = title || '!'; UPDATE posts_meta SET og_title = 'P'");
    await run(publication, [status(draft, 'published'), status(shown, 'draft')], null);
    shell.exec(`UPDATE posts_meta SET email_only = 1 - email_only
      WHERE post_id IN ('${mailed}', '${open}')`);
    const told = (await plan(publication, after)).map(({ event, recordId }) => [event, recordId]);
    expect(told).toEqual([
      ['post.published', draft],
      ['post.edited', draft],
      ['post.unpublished', shown],
      ['post.edited', shown],
      ['post.published', mailed],
      ['post.edited', mailed],
      ['post.unpublished', open],
      ['post.edited', open],
    ]);
  });

  test('a log that does not follow the position, and a setting', async () => {
    const publication = await createPublication();
    publication.insert('posts', { status: 'published' });
    expect(namesOf(await plan(publication, null, { changedBytes: true }))).toEqual([
      'site.changed',
    ]);
    const after = positionOf(publication);
    publication.insert('settings', { key: 'title', value: 'X' });
    const events = await plan(publication, after, { changedBytes: true });
    expect(events.map(({ payload }) => payload)).toEqual([
      '{"event":"site.changed","generation":7}',
    ]);
  });
});

test('a row that REPLACE removes is an edit of the same id and a deletion of another', async () => {
  const publication = await createPublication();
  const first = publication.insert('posts', {
    slug: 'same',
    status: 'published',
    published_at: NOW,
  });
  const after = positionOf(publication);
  const replace = (id: string): Statement => [
    `INSERT OR REPLACE INTO posts (id, uuid, title, slug, status, published_at, created_at)
     VALUES (?, 'u', 't', 'same', 'published', ?, ?)`,
    id,
    NOW,
    NOW,
  ];
  await run(publication, [replace(first)], null);
  expect(namesOf(await plan(publication, after))).toEqual(['post.published.edited', 'post.edited']);
  await run(publication, [replace('0'.repeat(24))], null);
  expect(namesOf(await plan(publication, after)).sort()).toEqual(
    ['post.added', 'post.deleted', 'post.published', 'post.unpublished'].sort(),
  );
});

describe('members', () => {
  test('added, edited by columns and links, deleted; no-op and label removal are silent', async () => {
    const publication = await createPublication();
    const label = publication.insert('labels', { name: 'L', slug: 'l', created_at: NOW });
    const gone = publication.insert('labels', { name: 'G', slug: 'g', created_at: NOW });
    const member = publication.insert('members', { name: 'Ann' });
    publication.insert('members_labels', { member_id: member, label_id: gone });
    const eventsOf = async (...statements: Statement[]) => {
      const after = positionOf(publication);
      await run(publication, statements, null);
      return await plan(publication, after);
    };
    expect(namesOf(await eventsOf(['UPDATE members SET name = name']))).toEqual([]);
    expect(namesOf(await eventsOf(['DELETE FROM labels WHERE id = ?', gone]))).toEqual([]);
    const renamed = await eventsOf(["UPDATE members SET name = 'Bea'"]);
    expect(shownOf(renamed, 'member.edited').previous).toEqual({ name: 'Ann' });
    const labelled = await eventsOf([
      'INSERT INTO members_labels (id, member_id, label_id) VALUES (?, ?, ?)',
      'e'.repeat(24),
      member,
      label,
    ]);
    expect(shownOf(labelled, 'member.edited').previous).toEqual({ labels: [] });
    const deleted = await eventsOf(['DELETE FROM members WHERE id = ?', member]);
    expect(shownOf(deleted, 'member.deleted')).toMatchObject({
      current: {},
      previous: { id: member, name: 'Bea', labels: [{ id: label }] },
    });
    expect(deleted.every(({ waitsForBuild }) => !waitsForBuild)).toBe(true);
  });
});

test('previous holds the changed stored keys only, and the whole old list of tags', async () => {
  const publication = await createPublication();
  const tag = publication.insert('tags', { name: 'Old' });
  const post = publication.insert('posts', { html: '<p>a</p>', published_at: NOW });
  publication.insert('posts_tags', { post_id: post, tag_id: tag });
  const after = positionOf(publication);
  await run(
    publication,
    [
      status(post, 'published'),
      ['DELETE FROM posts_tags WHERE post_id = ?', post],
      ["UPDATE tags SET name = 'New' WHERE id = ?", tag],
    ],
    'save-1',
  );
  const { current, previous } = shownOf(await plan(publication, after), 'post.published');
  expect(Object.keys(previous).sort()).toEqual(['status', 'tags']);
  expect(previous).toMatchObject({ status: 'draft', tags: [{ id: tag, name: 'Old' }] });
  expect(current).toMatchObject({ status: 'published', html: '<p>a</p>', tags: [] });
});

test('what a broken cycle has queued is a step of its own, whatever follows', async () => {
  const publication = await createPublication();
  const after = positionOf(publication);
  const post = publication.insert('posts', { html: '<p>a</p>', published_at: NOW });
  const early = await plan(publication, after);
  expect(namesOf(early)).toEqual(['post.added']);
  await run(publication, [status(post, 'published')], null);
  expect(namesOf(await plan(publication, after))).toEqual(['post.added', 'post.published']);
  const snapshot = publication.store.snapshot();
  const context = adminContext();
  const options = { generation: 7, after, changedBytes: false, context };
  const planned = await planEvents(snapshot, { ...options, queued: early });
  snapshot.close();
  expect(namesOf(planned)).toEqual(['post.added', 'post.published', 'post.edited']);
  expect(planned[0]?.action).toBe(early[0]?.action);
  expect(planned[1]?.action).not.toBe(early[0]?.action);
});

test('over 256 kB html and plaintext are left out, and the body says so', async () => {
  const publication = await createPublication();
  const after = positionOf(publication);
  publication.insert('posts', { html: 'é'.repeat(140_000) });
  const [event] = await plan(publication, after);
  const body = JSON.parse(event?.payload ?? '');
  expect(body.truncated).toBe(true);
  expect(body.post.current).not.toHaveProperty('html');
  expect(body.post.current).not.toHaveProperty('plaintext');
  expect(body.post.current).toHaveProperty('title');
});

test('a body that is far too long is left out in the same words, without being spelled', async () => {
  const publication = await createPublication();
  const html = `<p>${'One word __GHOST_URL__/a '.repeat(40)}</p>`;
  const post = publication.insert('posts', { html, plaintext: 'One word '.repeat(100) });
  await run(publication, [status(post, 'published')], 'save-1');
  const snapshot = publication.store.snapshot();
  const context = adminContext();
  const row = snapshot.rows('posts', [post])[0];
  if (row === undefined) throw new Error('There is no post.');
  const now = { post: row, meta: null, tags: [], authors: [], tiers: [] };
  const old = { ...now, post: { ...row, html: `${html}.`, title: 'Old' } };
  snapshot.close();
  for (const states of [
    { before: old, after: now },
    { before: null, after: now },
    { before: old, after: null },
    { before: { ...old, post: { ...old.post, html: '' } }, after: now },
  ]) {
    const [whole, cut] = [showPost(states, context), showPost(states, context, 900)];
    expect(whole.hasBody).toBe(true);
    expect(cut.hasBody).toBe(false);
    const spelled = JSON.stringify(cut);
    expect(spelled).not.toContain('/a One word');
    const fields = { event: 'post.edited', generation: 1, root: 'post' } as const;
    const { payload } = formatPayload({ ...fields, shown: cut });
    const { current, previous } = JSON.parse(payload).post;
    expect({ current, previous }).toEqual(withoutTexts(whole));
    expect(payload).toMatch(/,"truncated":true}$/);
  }
});

const withoutTexts = (shown: Shown): unknown => {
  const { current, previous } = structuredClone(shown);
  for (const part of [current, previous]) {
    for (const name of ['html', 'plaintext']) Reflect.deleteProperty(part, name);
  }
  return { current, previous };
};

test('what changes in the hidden part of a published post is told to nobody', async () => {
  const publication = await createPublication();
  const gated = { status: 'published', published_at: NOW, visibility: 'paid' };
  const html = '<p>open</p><!--members-only--><p>hidden</p>';
  const post = publication.insert('posts', { ...gated, html });
  const edit = async (text: string | Buffer): Promise<string[]> => {
    const after = positionOf(publication);
    await run(publication, [['UPDATE posts SET html = ? WHERE id = ?', text, post]], null);
    return namesOf(await plan(publication, after));
  };
  expect(await edit(`${html}<p>more</p>`)).toEqual([]);
  expect(await edit(`<p>changed</p>${html}`)).toEqual(['post.published.edited', 'post.edited']);
  // Bytes in a text column are the text they spell; PostgreSQL takes none.
  if (!isOnPostgres) expect(await edit(Buffer.from(`<p>changed</p>${html}`))).toEqual([]);
  // A whole minute more of reading shows.
  expect(await edit(`<p>changed</p>${html}${' word'.repeat(400)}`)).toContain('post.edited');
});
