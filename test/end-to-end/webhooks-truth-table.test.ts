// Each row of the truth table through a running server: written through the admin interface or through
// plain SQL, noticed by the publisher's own loop, sent to a real receiver that verifies the signature.
// All rows of one way of writing run at once, each on a post of its own.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createId } from '../../src/base/ids.ts';
import { EVENT_NAMES } from '../../src/delivery/event-names.ts';
import { loadDriver, type SqliteConnection } from '../../src/sqlite/driver.ts';
import { type Listener, listenForDeliveries } from '../battery/listener.ts';
import { queuedDeliveries, untilDelivered } from '../battery/outbox-state.ts';
import { type Server, startServer } from '../battery/server.ts';
import { eventually } from '../helpers/eventually.ts';
import { insertRow } from '../helpers/publication.ts';
import { prepress } from '../helpers/run-prepress.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';

const TIME = '2026-01-01T10:00:00.000Z';
const LATER = '2037-05-05T10:00:00.000Z';
const LATEST = '2038-01-01T10:00:00.000Z';

type PostType = 'post' | 'page';
type Scene = { readonly type: PostType; readonly id: string; readonly tag: string };
type Before = { readonly status: string; readonly tags?: number } | null;

type Save = {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly fields?: Readonly<Record<string, unknown>>;
};

type Row = {
  readonly action: string;
  /** The post before; null: there is none. */
  readonly before: Before;
  /** Left out where the admin interface refuses the change. */
  readonly save?: (scene: Scene) => Save;
  readonly sql?: (scene: Scene, shell: SqliteConnection) => void;
  readonly events: readonly string[];
};

let tags: readonly string[] = [];
const tagged = (...ids: (string | undefined)[]) => ids.map((id) => ({ id }));
const post = (fields: Record<string, unknown>) => (): Save => ({ method: 'POST', fields });
const put = (fields: Record<string, unknown>) => (): Save => ({ method: 'PUT', fields });
const remove = (): Save => ({ method: 'DELETE' });

const set =
  (assignments: string) =>
  ({ id }: Scene, shell: SqliteConnection): void => {
    shell.prepare(`UPDATE posts SET ${assignments} WHERE id = ?`).run(id);
  };
const insert =
  (row: Record<string, unknown>, ...withTags: number[]) =>
  ({ type, id, tag }: Scene, shell: SqliteConnection): void =>
    shell.transaction(() => {
      insertRow(shell, 'posts', { id, type, ...row });
      for (const index of withTags) {
        if (index === 2) insertRow(shell, 'tags', { id: tag, name: `New ${tag}`, slug: tag });
        link(shell, id, tags[index] ?? tag, index);
      }
    })();
const link = (shell: SqliteConnection, post_id: string, tag_id: string, sort_order: number) =>
  insertRow(shell, 'posts_tags', { post_id, tag_id, sort_order });
const drop = ({ id }: Scene, shell: SqliteConnection): void => {
  shell.prepare('DELETE FROM posts WHERE id = ?').run(id);
};
const other = (type: PostType): PostType => (type === 'post' ? 'page' : 'post');

const TABLE: readonly Row[] = [
  {
    action: 'create draft',
    before: null,
    save: post({ status: 'draft' }),
    sql: insert({ status: 'draft' }),
    events: ['P.added'],
  },
  {
    action: 'create published',
    before: null,
    save: post({ status: 'published' }),
    sql: insert({ status: 'published', published_at: TIME }),
    events: ['P.added', 'P.published'],
  },
  {
    action: 'create scheduled',
    before: null,
    save: post({ status: 'scheduled', published_at: LATER }),
    sql: insert({ status: 'scheduled', published_at: LATER }),
    events: ['P.added', 'P.scheduled'],
  },
  {
    action: 'create with tags, one of them brand-new',
    before: null,
    save: ({ tag }) => ({
      method: 'POST',
      fields: { status: 'published', tags: [{ id: tags[0] }, { name: `New ${tag}` }] },
    }),
    sql: insert({ status: 'published', published_at: TIME }, 0, 2),
    events: ['P.added', 'P.published', 'P.tag.attached', 'P.tag.attached', 'tag.added'],
  },
  {
    action: 'draft edit',
    before: { status: 'draft' },
    save: put({ title: 'X' }),
    sql: set("title = 'X'"),
    events: ['P.edited'],
  },
  {
    action: 'draft -> published',
    before: { status: 'draft' },
    save: put({ status: 'published' }),
    sql: set("status = 'published'"),
    events: ['P.published', 'P.edited'],
  },
  {
    action: 'scheduled -> published',
    before: { status: 'scheduled' },
    save: put({ status: 'published' }),
    sql: set(`status = 'published', published_at = '${TIME}'`),
    events: ['P.published', 'P.edited'],
  },
  {
    action: 'published edit',
    before: { status: 'published' },
    save: put({ title: 'X' }),
    sql: set("title = 'X'"),
    events: ['P.published.edited', 'P.edited'],
  },
  {
    action: 'only tags changed',
    before: { status: 'published', tags: 1 },
    save: () => ({ method: 'PUT', fields: { tags: tagged(tags[1]) } }),
    sql: ({ id }, shell) =>
      shell.transaction(() => {
        shell.prepare('DELETE FROM posts_tags WHERE post_id = ?').run(id);
        link(shell, id, tags[1] ?? '', 0);
      })(),
    events: ['P.tag.attached', 'P.tag.detached', 'P.published.edited', 'P.edited'],
  },
  {
    action: 'several tags detached from a draft',
    before: { status: 'draft', tags: 2 },
    save: put({ tags: [] }),
    sql: ({ id }, shell) => {
      shell.prepare('DELETE FROM posts_tags WHERE post_id = ?').run(id);
    },
    events: ['P.tag.detached', 'P.edited'],
  },
  {
    action: 'only a posts_meta field changed',
    before: { status: 'published' },
    save: put({ meta_title: 'Meta' }),
    sql: ({ id }, shell) => {
      insertRow(shell, 'posts_meta', { post_id: id, meta_title: 'Meta' });
    },
    events: ['P.published.edited', 'P.edited'],
  },
  {
    action: 'no change',
    before: { status: 'published', tags: 1 },
    save: () => ({ method: 'PUT', fields: { title: 'Old', tags: tagged(tags[0]) } }),
    sql: set('title = title, html = html'),
    events: [],
  },
  {
    action: 'a column that no document shows',
    before: { status: 'published' },
    sql: set(`lexical = '{"root":{}}'`),
    events: [],
  },
  {
    action: 'published -> draft',
    before: { status: 'published' },
    save: put({ status: 'draft' }),
    sql: set("status = 'draft'"),
    events: ['P.unpublished', 'P.edited'],
  },
  {
    action: 'draft -> scheduled',
    before: { status: 'draft' },
    save: put({ status: 'scheduled', published_at: LATER }),
    sql: set(`status = 'scheduled', published_at = '${LATER}'`),
    events: ['P.scheduled', 'P.edited'],
  },
  {
    action: 'published -> scheduled',
    before: { status: 'published' },
    sql: set(`status = 'scheduled', published_at = '${LATER}'`),
    events: ['P.unpublished', 'P.scheduled', 'P.edited'],
  },
  {
    action: 'scheduled, published_at changed',
    before: { status: 'scheduled' },
    save: put({ published_at: LATEST }),
    sql: set(`published_at = '${LATEST}'`),
    events: ['P.rescheduled', 'P.edited'],
  },
  {
    action: 'scheduled, other edit',
    before: { status: 'scheduled' },
    save: put({ title: 'X' }),
    sql: set("title = 'X'"),
    events: ['P.edited'],
  },
  {
    action: 'scheduled -> draft',
    before: { status: 'scheduled' },
    save: put({ status: 'draft' }),
    sql: set("status = 'draft'"),
    events: ['P.unscheduled', 'P.edited'],
  },
  {
    action: 'delete draft',
    before: { status: 'draft' },
    save: remove,
    sql: drop,
    events: ['P.deleted'],
  },
  {
    action: 'delete scheduled with tags',
    before: { status: 'scheduled', tags: 2 },
    save: remove,
    sql: drop,
    events: ['P.tag.detached', 'P.deleted'],
  },
  {
    action: 'delete published',
    before: { status: 'published', tags: 1 },
    save: remove,
    sql: drop,
    events: ['P.tag.detached', 'P.unpublished', 'P.deleted'],
  },
  {
    action: 'draft -> sent',
    before: { status: 'draft' },
    sql: set("status = 'sent'"),
    events: ['P.edited'],
  },
  {
    action: 'type change of a draft',
    before: { status: 'draft' },
    sql: ({ id, type }, shell) => set(`type = '${other(type)}'`)({ id, type, tag: '' }, shell),
    events: ['P.deleted', 'O.added'],
  },
  {
    action: 'type change of a published record',
    before: { status: 'published', tags: 1 },
    sql: ({ id, type }, shell) => set(`type = '${other(type)}'`)({ id, type, tag: '' }, shell),
    events: ['P.unpublished', 'P.deleted', 'O.added', 'O.published'],
  },
];

const PUBLISHED_AT: Readonly<Record<string, string>> = { published: TIME, scheduled: LATER };

const folder = suiteFolder();
let server: Server;
let shell: SqliteConnection;
let listener: Listener;

beforeAll(async () => {
  await prepress(folder.path, ['init', '--empty', '--site-url', 'https://site.test']);
  server = await startServer(folder.path);
  shell = new (loadDriver())(`${folder.path}/data/publication.db`, { timeout: 60_000 });
  shell.pragma('foreign_keys = ON');
  tags = ['A', 'B'].map((name) => insertRow(shell, 'tags', { name, slug: name.toLowerCase() }));
  listener = await listenForDeliveries();
  for (const event of EVENT_NAMES) await listener.subscribe(server, event);
});

afterAll(async () => {
  shell.close();
  await server.end();
  await listener.close();
  folder.remove();
});

/** Posts of all rows in their state before, with what that announced out of the way. */
const setScenes = async (type: PostType, rows: readonly Row[]): Promise<Scene[]> => {
  const scenes = rows.map(() => ({ type, id: createId(), tag: createId() }));
  shell.transaction(() => {
    for (const [index, { before }] of rows.entries()) {
      const id = scenes[index]?.id ?? '';
      if (before === null) continue;
      const published_at = PUBLISHED_AT[before.status] ?? null;
      const html = '<p>a</p>';
      insertRow(shell, 'posts', {
        id,
        type,
        title: 'Old',
        slug: id,
        html,
        published_at,
        status: before.status,
      });
      for (let tag = 0; tag < (before.tags ?? 0); tag += 1) link(shell, id, tags[tag] ?? '', tag);
    }
  })();
  await untilDelivered(shell);
  return scenes;
};

const runSave = async (scene: Scene, { method, fields }: Save): Promise<Scene> => {
  const root = `${scene.type}s`;
  if (method === 'POST') {
    const made = await server.admin('POST', `/${root}/`, { [root]: [{ title: 'Old', ...fields }] });
    const [{ id, tags: madeTags }] = made[root];
    const brandNew = madeTags.find(({ name }: { name: string }) => name === `New ${scene.tag}`);
    return { ...scene, id, tag: brandNew?.id ?? scene.tag };
  }
  if (method === 'DELETE') await server.admin('DELETE', `/${root}/${scene.id}/`);
  else {
    const read = await server.admin('GET', `/${root}/${scene.id}/`);
    const { updated_at } = read[root][0];
    await server.admin('PUT', `/${root}/${scene.id}/`, { [root]: [{ updated_at, ...fields }] });
  }
  return scene;
};

const WRITERS = {
  'the admin interface': {
    rows: TABLE.filter(({ save }) => save !== undefined),
    write: async (scenes: readonly Scene[], rows: readonly Row[]): Promise<Scene[]> => {
      const written: Scene[] = [];
      for (const [index, scene] of scenes.entries()) {
        const save = rows[index]?.save?.(scene);
        if (save !== undefined) written.push(await runSave(scene, save));
      }
      return written;
    },
  },
  'plain SQL': {
    rows: TABLE.filter(({ sql }) => sql !== undefined),
    write: async (scenes: readonly Scene[], rows: readonly Row[]): Promise<Scene[]> => {
      for (const [index, scene] of scenes.entries()) rows[index]?.sql?.(scene, shell);
      return [...scenes];
    },
  },
};

describe.each(['post', 'page'] as const)('%s', (type) => {
  test.each(Object.entries(WRITERS))('by %s', async (_writer, { rows, write }) => {
    const before = await setScenes(type, rows);
    const skip = queuedDeliveries(shell).length;
    const scenes = await write(before, rows);
    await untilDelivered(shell);
    const queued = queuedDeliveries(shell, skip);
    const outcome = rows.map(({ action }, index) => {
      const { id, tag } = scenes[index] as Scene;
      const mine = queued.filter(({ record }) => record === id || record === tag);
      return [action, ...mine.map(({ event }) => event)];
    });
    const expected = rows.map(({ action, events }) => [
      action,
      ...events.map((name) => name.replace(/^P/, type).replace(/^O/, other(type))),
    ]);
    expect(outcome).toEqual(expected);
    const told = queued.filter(({ event }) => event !== 'site.changed');
    expect(told).toHaveLength(expected.flat().length - expected.length);
    const generations = queued
      .filter(({ event }) => event === 'site.changed')
      .map(({ generation }) => generation);
    expect(generations.length).toBeGreaterThan(0);
    expect(new Set(generations).size).toBe(generations.length);
    const received = listener.received.filter(({ id }) => queued.some((one) => one.id === id));
    expect(received.map(({ id }) => id).sort()).toEqual(queued.map(({ id }) => id).sort());
    for (const { id, event, generation } of queued) {
      const body = received.find((one) => one.id === id)?.body;
      expect(body).toMatchObject({ event, generation });
    }
  });

  test('the admin interface refuses published -> scheduled', async () => {
    const [scene] = await setScenes(type, [
      { action: '', before: { status: 'published' }, events: [] },
    ]);
    const root = `${type}s`;
    const fields = { updated_at: null, status: 'scheduled', published_at: LATER };
    const { status, body } = await server.ask('PUT', `/${root}/${scene?.id}/`, {
      [root]: [fields],
    });
    expect(status).toBe(422);
    expect(body.errors[0].context ?? body.errors[0].message).toContain('already published');
  });
});

test('scheduled -> published by the scheduler', async () => {
  const published_at = new Date(Date.now() + 2_000).toISOString();
  const id = insertRow(shell, 'posts', { status: 'scheduled', published_at });
  const statusOf = shell.prepare('SELECT status FROM posts WHERE id = ?').pluck();
  await eventually(() => expect(statusOf.get(id)).toBe('published'));
  await untilDelivered(shell);
  const mine = queuedDeliveries(shell).filter(({ record }) => record === id);
  expect(mine.map(({ event }) => event)).toEqual([
    'post.added',
    'post.scheduled',
    'post.published',
    'post.edited',
  ]);
});

test('every delivery was signed in both ways', () => {
  expect(listener.received.length).toBeGreaterThan(100);
  expect(listener.faults).toEqual([]);
});
