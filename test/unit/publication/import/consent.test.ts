// Who does not want a newsletter does not get it from a source: not by an import, a second one, nor while following.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SqliteConnection } from '../../../../src/base/sqlite/driver.ts';
import { type SyncReport, syncOnce } from '../../../../src/publication/follow/sync-once.ts';
import type { Replacing } from '../../../../src/publication/import/apply/keep-left.ts';
import type { ImportReport } from '../../../../src/publication/import/import-report.ts';
import { importSource } from '../../../../src/publication/import/import-source.ts';
import { openGhostExport } from '../../../../src/publication/sources/ghost-export/source.ts';
import { deleteChosen } from '../../../../src/publication/store/members/member-bulk.ts';
import { planBulkEdit } from '../../../../src/serve/admin/members/bulk-members.ts';
import {
  createMember,
  deleteMember,
  editMember,
} from '../../../../src/serve/admin/members/members.ts';
import { runBulkJobs } from '../../../../src/serve/server/member-jobs/run-bulk-jobs.ts';
import { openGhost } from '../../../helpers/ghost-database.ts';
import { importMembersCsv } from '../../../helpers/import-members.ts';
import { createPublication, insertRow, type Publication } from '../../../helpers/publication.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';
import { idOf } from './ghost-import.ts';

type Scene = Publication & {
  readonly ghost: SqliteConnection;
  readonly take: (replacing?: Replacing) => Promise<ImportReport>;
  readonly look: (begins?: boolean) => Promise<SyncReport | null>;
};

const WEEKLY = idOf(201);
const NOAH = idOf(701);
const clock = { now: () => Date.parse('2026-06-01T00:00:00Z') };

const createScene = async (): Promise<Scene> => {
  const publication = await createPublication();
  const { store } = publication;
  const { ghost, source } = openGhost();
  return {
    ...publication,
    ghost,
    take: (replacing = 'no') => importSource(store, source, { clock, replacing }),
    look: (begins = false) => syncOnce({ store, source, clock }, { begins }),
  };
};

const JO = '1'.repeat(24);
const TWIN = '2'.repeat(24);

const addJo = ({ ghost }: Scene, id: string, email: string): void => {
  const created = '2024-01-01 00:00:00';
  ghost
    .prepare('INSERT INTO members (id, uuid, email, status, created_at) VALUES (?, ?, ?, ?, ?)')
    .run(id, `11111111-1111-4111-8111-${id.slice(0, 12)}`, email, 'free', created);
};

const subscribe = ({ ghost }: Scene, member: string, id = member): void => {
  const insert = 'INSERT INTO members_newsletters (id, member_id, newsletter_id) VALUES (?, ?, ?)';
  ghost.prepare(insert).run(id, member, WEEKLY);
};

/** Ids of the members of the address, and how many newsletters they have. */
const jos = ({ shell }: Scene, email = 'jo@x.io'): unknown[] =>
  shell
    .prepare(
      `SELECT m.id, (SELECT count(*) FROM members_newsletters WHERE member_id = m.id)
       FROM members m WHERE email = ?`,
    )
    .raw()
    .all(email);

test.each([
  ['import', 'the first'],
  ['import', 'the second'],
  ['follow', 'the first'],
  ['follow', 'the second'],
])('%s: of two members of one address %s has left, so neither gets it', async (how, who) => {
  const scene = await createScene();
  addJo(scene, JO, 'Jo@x.io');
  addJo(scene, TWIN, 'jo@x.io');
  scene.ghost
    .prepare('INSERT INTO members_products (id, member_id, product_id) VALUES (?, ?, ?)')
    .run(TWIN, TWIN, idOf(211));
  subscribe(scene, who === 'the first' ? TWIN : JO);
  const report = how === 'import' ? await scene.take() : await scene.look(true);
  expect(jos(scene)).toEqual([[JO, 0]]);
  const tiers = scene.shell.prepare('SELECT count(*) FROM members_tiers WHERE member_id = ?');
  expect(tiers.pluck().get(JO)).toBe(0);
  expect(report?.skipped.filter(({ table }) => table === 'members')).toEqual([
    { table: 'members', id: TWIN, field: 'email', reason: `is the same as in row ${JO}` },
  ]);
});

test.each(['import', 'follow'])(
  '%s: a member whose new address another one here has keeps the old one, and what is not left',
  async (how) => {
    const scene = await createScene();
    const { ghost, insert } = scene;
    const take = () => (how === 'import' ? scene.take() : scene.look());
    addJo(scene, JO, 'jo@x.io');
    subscribe(scene, JO);
    if (how === 'import') await scene.take();
    else await scene.look(true);
    const here = insert('members', { email: 'new@x.io' });
    insert('members_newsletters', { member_id: here, newsletter_id: WEEKLY });
    ghost.prepare("UPDATE members SET email = 'new@x.io' WHERE id = ?").run(JO);
    expect((await take())?.skipped).toContainEqual({
      table: 'members',
      id: JO,
      field: 'email',
      reason: `belongs to another row, ${here}`,
    });
    expect([...jos(scene), ...jos(scene, 'new@x.io')]).toEqual([
      [JO, 1],
      [here, 1],
    ]);
    ghost.prepare('DELETE FROM members_newsletters WHERE member_id = ?').run(JO);
    ghost.prepare("UPDATE members SET name = 'Jo' WHERE id = ?").run(JO);
    await take();
    expect([...jos(scene), ...jos(scene, 'new@x.io')]).toEqual([
      [JO, 0],
      [here, 0],
    ]);
  },
);

test('while following, a second member of one address comes, changes and goes', async () => {
  const scene = await createScene();
  addJo(scene, JO, 'Jo@x.io');
  subscribe(scene, JO);
  await scene.look(true);
  expect(jos(scene)).toEqual([[JO, 1]]);
  addJo(scene, TWIN, 'jo@x.io');
  expect((await scene.look())?.skipped).toMatchObject([
    { id: TWIN, reason: `belongs to another row, ${JO}` },
  ]);
  expect(jos(scene)).toEqual([[JO, 0]]);
  subscribe(scene, TWIN);
  await scene.look();
  expect(jos(scene)).toEqual([[JO, 1]]);
  // Only the link: the rows of both members stay as they are.
  scene.ghost.prepare('DELETE FROM members_newsletters WHERE member_id = ?').run(TWIN);
  await scene.look();
  expect(jos(scene)).toEqual([[JO, 0]]);
  scene.ghost.prepare('DELETE FROM members WHERE id = ?').run(TWIN);
  await scene.look();
  expect(jos(scene)).toEqual([[JO, 1]]);
  addJo(scene, TWIN, 'jo@x.io');
  scene.ghost.prepare('DELETE FROM members_newsletters WHERE member_id = ?').run(JO);
  await scene.look();
  subscribe(scene, JO, '3'.repeat(24));
  await scene.look();
  expect(jos(scene)).toEqual([[JO, 0]]);
});

test('while following, a second member does not become one that is here under another id', async () => {
  const scene = await createScene();
  const here = scene.insert('members', { email: 'JO@x.io' });
  addJo(scene, JO, 'Jo@x.io');
  subscribe(scene, JO);
  await scene.look(true);
  expect(jos(scene)).toEqual([[here, 1]]);
  addJo(scene, TWIN, 'jo@x.io');
  await scene.look();
  expect(jos(scene)).toEqual([[here, 0]]);
  scene.ghost.prepare("UPDATE members SET name = 'Jo' WHERE id = ?").run(JO);
  await scene.look();
  const named = scene.shell.prepare('SELECT email, name FROM members WHERE id = ?').raw();
  expect(named.get(here)).toEqual(['Jo@x.io', 'Jo']);
});

test('while following, a member who is found here has the links of the source alone', async () => {
  const scene = await createScene();
  const here = scene.insert('members', { email: 'JO@x.io' });
  await scene.look(true);
  scene.insert('members_newsletters', { member_id: here, newsletter_id: WEEKLY });
  const at = '2026-01-01T00:00:00.000Z';
  const times = { created_at: at, updated_at: at };
  const label = scene.insert('labels', { name: 'Mine', slug: 'mine', ...times });
  scene.insert('members_labels', { member_id: here, label_id: label });
  addJo(scene, JO, 'Jo@x.io');
  await scene.look();
  expect(jos(scene)).toEqual([[here, 0]]);
  expect(
    scene.shell.prepare('SELECT id FROM members_labels WHERE label_id = ?').all(label),
  ).toEqual([]);
});

type Leaving = (scene: Scene) => Promise<unknown>;

const csv = async ({ store }: Scene, text: string): Promise<void> => {
  const file = join(temporaryFolder(), 'members.csv');
  writeFileSync(file, text);
  await importMembersCsv(store, file, { clock });
};

const noah = 'noah@example.org';
const edit: Leaving = (scene) => editMember({ ...scene, clock }, NOAH, { subscribed: false });

/** What happens here before the source is taken (again). */
const LEAVINGS: Record<string, Leaving> = {
  'by the interface': async (scene) => {
    await scene.take();
    await edit(scene);
  },
  'in bulk': async (scene) => {
    await scene.take();
    const selection = { filter: null, search: noah, asked: { search: noah } };
    const nowMs = clock.now();
    await planBulkEdit({ store: scene.store, nowMs }, selection, { action: 'unsubscribe' });
    await runBulkJobs(scene.store);
  },
  'by a CSV': async (scene) => {
    await scene.take();
    await csv(scene, `email,subscribed_to_emails\n${noah},false\n`);
  },
  'as made by a CSV': (scene) => csv(scene, `email,subscribed_to_emails\n${noah},false\n`),
  'by a CSV before there was a newsletter': async (scene) => {
    await csv(scene, `email\n${noah}\n`);
    await csv(scene, `email,subscribed_to_emails\n${noah},false\n`);
  },
  'as made by the interface': (scene) =>
    createMember({ ...scene, clock }, { email: noah, subscribed: false }, 'key'),
};

test.each(Object.keys(LEAVINGS))('who left here %s is not subscribed by a source', async (how) => {
  const scene = await createScene();
  await LEAVINGS[how]?.(scene);
  const [[id]] = jos(scene, noah) as [[string]];
  const { warnings } = await scene.take();
  expect(jos(scene, noah)).toEqual([[id, 0]]);
  expect(jos(scene, 'mia@example.org')).toEqual([[idOf(700), 1]]);
  expect(warnings.filter((one) => one.includes('left newsletters here')).join()).toContain(
    `1 (members ${id})`,
  );
  await scene.look(true);
  expect(jos(scene, noah)).toEqual([[id, 0]]);
});

test.each(['one by one', 'in bulk'])(
  'who left and was deleted %s comes back unsubscribed',
  async (how) => {
    const scene = await createScene();
    await scene.take();
    await edit(scene);
    if (how === 'one by one') await deleteMember({ ...scene, clock }, NOAH);
    else await scene.store.write((tx) => deleteChosen(tx, [NOAH]));
    expect(jos(scene, noah)).toEqual([]);
    const { warnings } = await scene.take();
    expect(jos(scene, noah)).toEqual([[NOAH, 0]]);
    expect(warnings.join()).toContain(`1 (members ${NOAH})`);
    await scene.look(true);
    expect(jos(scene, noah)).toEqual([[NOAH, 0]]);
    await scene.take('sure');
    expect(jos(scene, noah)).toEqual([[NOAH, 1]]);
  },
);

test.each([NOAH, TWIN])(
  'who left here and goes at the source comes back unsubscribed, as %s',
  async (id) => {
    const scene = await createScene();
    const { ghost } = scene;
    await scene.take();
    await edit(scene);
    await scene.look(true);
    const row = ghost.prepare('SELECT * FROM members WHERE id = ?').get(NOAH);
    ghost.prepare('DELETE FROM members WHERE id = ?').run(NOAH);
    await scene.look();
    expect(jos(scene, noah)).toEqual([]);
    insertRow(ghost, 'members', { ...(row as Record<string, string>), id });
    subscribe(scene, id, '6'.repeat(24));
    const { warnings = [] } = (await scene.look()) ?? {};
    expect(jos(scene, noah)).toEqual([[id, 0]]);
    expect(warnings.join()).toContain(`1 (members ${id})`);
  },
);

test('a source subscribes who left here when it is told to, or when the member subscribed there since', async () => {
  const scene = await createScene();
  await scene.take();
  await edit(scene);
  await expect(scene.take('asked')).rejects.toMatchObject({
    code: 'MEMBERS_WOULD_LOSE',
    message: expect.stringContaining('1 who left'),
    hint: expect.stringContaining('leave out --replace to keep them unsubscribed'),
  });
  expect(jos(scene, noah)).toEqual([[NOAH, 0]]);
  await scene.take('sure');
  expect(jos(scene, noah)).toEqual([[NOAH, 1]]);
  await scene.take('asked');
  await editMember({ ...scene, clock: { now: () => clock.now() + 1 } }, NOAH, { newsletters: [] });
  const event = scene.ghost.prepare(
    `INSERT INTO members_subscribe_events (id, member_id, subscribed, newsletter_id, created_at)
     VALUES (?, ?, 1, ?, ?)`,
  );
  event.run('4'.repeat(24), NOAH, WEEKLY, '2026-05-31 00:00:00');
  await scene.take();
  expect(jos(scene, noah)).toEqual([[NOAH, 0]]);
  event.run('5'.repeat(24), NOAH, WEEKLY, '2026-06-02 00:00:00');
  await scene.take();
  expect(jos(scene, noah)).toEqual([[NOAH, 1]]);
});

test.each(['import', 'follow'])(
  '%s: what is left and taken again at the source comes here, within one second too',
  async (how) => {
    const scene = await createScene();
    const take = (begins = false) => (how === 'import' ? scene.take() : scene.look(begins));
    await take(true);
    const event = scene.ghost.prepare(
      `INSERT INTO members_subscribe_events (id, member_id, subscribed, newsletter_id, created_at)
     VALUES (?, ?, ?, ?, '2026-06-02 00:00:00')`,
    );
    event.run('4'.repeat(24), NOAH, '0', WEEKLY);
    scene.ghost.prepare('DELETE FROM members_newsletters WHERE member_id = ?').run(NOAH);
    await take();
    expect(jos(scene, noah)).toEqual([[NOAH, 0]]);
    event.run('5'.repeat(24), NOAH, '1', WEEKLY);
    subscribe(scene, NOAH);
    await take();
    expect(jos(scene, noah)).toEqual([[NOAH, 1]]);
  },
);

const takeSubscriber = async (
  { store }: Publication,
  email: string,
  replacing: Replacing = 'no',
): Promise<ImportReport> => {
  const file = join(temporaryFolder(), 'ghost.json');
  const created_at = '2018-01-02 03:04:05';
  const subscribers = [{ id: 1, email, status: 'subscribed', created_at }];
  const settings = [{ id: 1, key: 'title', value: 'Blog' }];
  const data = { posts: [], settings, subscribers };
  writeFileSync(file, JSON.stringify({ meta: { version: '2.38.3' }, data }));
  return importSource(store, openGhostExport(file), { clock, siteUrl: 'https://x.io', replacing });
};

test('a subscriber who left here and got another address is the same member', async () => {
  const scene = await createScene();
  await takeSubscriber(scene, 'jo@x.io');
  const [[id]] = jos(scene) as [[string]];
  await editMember({ ...scene, clock }, id, { newsletters: [], email: 'moved@x.io' });
  const { warnings } = await takeSubscriber(scene, 'jo@x.io');
  expect([jos(scene), jos(scene, 'moved@x.io')]).toEqual([[[id, 0]], []]);
  expect(warnings.join()).toContain('1 (members 1)');
  await deleteMember({ ...scene, clock }, id);
  for (const _again of [1, 2]) await takeSubscriber(scene, 'jo@x.io');
  expect(jos(scene)).toEqual([[id, 0]]);
  await takeSubscriber(scene, 'new@x.io', 'sure');
  expect(jos(scene, 'new@x.io')).toEqual([[id, 1]]);
});

test('a subscriber who is a member here and never left gets the newsletter', async () => {
  const scene = await createScene();
  await createMember({ ...scene, clock }, { email: 'jo@x.io' }, 'key');
  expect(jos(scene)).toMatchObject([[expect.anything(), 0]]);
  const { warnings } = await takeSubscriber(scene, 'jo@x.io');
  expect(jos(scene)).toMatchObject([[expect.anything(), 1]]);
  expect(warnings.join()).not.toContain('left newsletters');
});
