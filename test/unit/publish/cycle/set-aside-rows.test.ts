import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { publishOnce } from '../../../../src/publish/cycle/publish-once.ts';
import { EVENT_NAMES } from '../../../../src/publish/webhooks/events/event-names.ts';
import { payloadsOf } from '../../../helpers/outbox.ts';
import { createPublishingSite, type PublishingSite } from '../../../helpers/publishing-site.ts';
import { listSetAside, readTree } from '../../../helpers/tree.ts';

const BREAK = "UPDATE posts SET published_at = 'nonsense'";
const MEND = "UPDATE posts SET published_at = '2026-01-01'";

type Site = PublishingSite & {
  readonly post: string;
  readonly sql: (statement: string, ...values: unknown[]) => void;
  /** Builds; names of the events that were queued since the last call. */
  readonly publish: () => Promise<string[]>;
  readonly payloads: (event: string) => { current: object; previous: object }[];
};

const createSite = async (): Promise<Site> => {
  const publishing = await createPublishingSite(EVENT_NAMES);
  const { deps, shell, insert, newEvents } = publishing;
  const post = insert('posts', { slug: 'own', status: 'published', published_at: '2026-01-01' });
  insert('posts', { slug: 'other', status: 'published', published_at: '2026-01-01' });
  const site: Site = {
    ...publishing,
    post,
    sql: (statement, ...values) => {
      shell.prepare(statement).run(values);
    },
    publish: async () => {
      await publishOnce(deps);
      return newEvents();
    },
    payloads: (event) => payloadsOf(publishing, event).map((payload) => JSON.parse(payload).post),
  };
  await site.publish();
  return site;
};

const isShown = ({ deps, post }: Site): boolean =>
  existsSync(join(deps.paths.contentFolder, 'posts', post));

test('a broken row is named by every build until it is mended, also by one with nothing else to do', async () => {
  const { deps, post, sql } = await createSite();
  sql(`${BREAK} WHERE id = ?`, post);
  const line = `Row ${post} of posts cannot be rendered (published_at is not a time that can be read); an earlier version is shown.`;
  for (let round = 0; round < 3; round += 1) {
    expect(await publishOnce(deps)).toMatchObject({ warnings: [line], setAside: [line] });
  }
  sql(`${MEND} WHERE id = ?`, post);
  expect(await publishOnce(deps)).toMatchObject({ warnings: [], setAside: [] });
});

test('a strict build fails while a row is broken, whoever set it aside, and changes nothing', async () => {
  const site = await createSite();
  const { deps, post, sql } = site;
  const before = readTree(deps.paths.contentFolder);
  sql(`${BREAK} WHERE id = ?`, post);
  sql("UPDATE posts SET title = 'New' WHERE slug = 'other'");
  const strict = () => publishOnce(deps, { isStrict: true });
  const failure = { code: 'BUILD_INPUT_INVALID', details: [{ table: 'posts', id: post }] };
  await expect(strict()).rejects.toMatchObject(failure);
  expect(readTree(deps.paths.contentFolder)).toEqual(before);
  await site.publish();
  const built = readTree(deps.paths.contentFolder);
  await expect(strict()).rejects.toMatchObject(failure);
  expect(readTree(deps.paths.contentFolder)).toEqual(built);
  sql(`${MEND} WHERE id = ?`, post);
  expect(await strict()).toMatchObject({ setAside: [] });
});

test('what concerns every row fails the build, and sets nothing aside', async () => {
  const { deps, store, post, sql, insert } = await createSite();
  sql(`${BREAK} WHERE id = ?`, post);
  insert('settings', { key: 'timezone', value: 'Mars/Olympus' });
  await expect(publishOnce(deps)).rejects.toMatchObject({ code: 'TIMEZONE_UNKNOWN' });
  expect(listSetAside(store)).toEqual([]);
});

test('a broken edit is announced when it is mended, not before', async () => {
  const site = await createSite();
  site.sql(`${BREAK}, title = 'Second' WHERE id = ?`, site.post);
  expect(await site.publish()).toEqual([]);
  site.sql("UPDATE posts SET title = 'Third' WHERE id = ?", site.post);
  expect(await site.publish()).toEqual([]);
  site.insert('members', {});
  expect(await site.publish()).toEqual(['member.added']);
  site.sql(`${MEND} WHERE id = ?`, site.post);
  expect(await site.publish()).toEqual(['post.published.edited', 'post.edited', 'site.changed']);
  expect(site.payloads('post.edited')).toMatchObject([
    { current: { title: 'Third' }, previous: { title: `Title ${site.post}` } },
  ]);
});

test('an edit before the one that broke the row is announced', async () => {
  const site = await createSite();
  site.sql("UPDATE posts SET title = 'Second' WHERE id = ?", site.post);
  site.sql(`${BREAK}, title = 'Third' WHERE id = ?`, site.post);
  expect(await site.publish()).toEqual(['post.published.edited', 'post.edited', 'site.changed']);
  expect(site.payloads('post.edited')).toMatchObject([{ current: { title: 'Second' } }]);
});

test.each([
  ['at once', false],
  ['later', true],
])('a record that is broken and gated %s is announced as unpublished', async (_, isLater) => {
  const site = await createSite();
  site.sql(`${BREAK} WHERE id = ?`, site.post);
  if (isLater) expect(await site.publish()).toEqual([]);
  site.sql("UPDATE posts SET visibility = 'members' WHERE id = ?", site.post);
  expect(await site.publish()).toEqual(['post.unpublished', 'post.edited', 'site.changed']);
  expect(isShown(site)).toBe(false);
  site.sql(`${MEND} WHERE id = ?`, site.post);
  expect(await site.publish()).toEqual(['post.published', 'post.edited', 'site.changed']);
  expect(isShown(site)).toBe(true);
});

test('a draft that is published broken is no publish until it is mended', async () => {
  const site = await createSite();
  const draft = site.insert('posts', { status: 'draft' });
  expect(await site.publish()).toEqual(['post.added']);
  site.sql("UPDATE posts SET status = 'published', published_at = 'never' WHERE id = ?", draft);
  expect(await site.publish()).not.toContain('post.published');
  site.sql(`${MEND} WHERE id = ?`, draft);
  expect(await site.publish()).toEqual(['post.published', 'post.edited', 'site.changed']);
});

test('a broken record that is deleted is announced like any other', async () => {
  const site = await createSite();
  site.sql(`${BREAK} WHERE id = ?`, site.post);
  await site.publish();
  site.sql('DELETE FROM posts WHERE id = ?', site.post);
  expect(await site.publish()).toEqual(['post.unpublished', 'post.deleted', 'site.changed']);
  expect(listSetAside(site.store)).toEqual([]);
});

test('a row that this program can render is shown by a full build, also unchanged', async () => {
  const site = await createSite();
  // As a program leaves it that could not render the row.
  site.sql(
    `INSERT INTO set_aside (entity, id, problems, since, epoch, seq, broken_seq, hidden_seq)
     SELECT 'posts', ?, '[{"field":"html","reason":"is too long"}]', 0, epoch, seq, 0, 0
     FROM published_position`,
    site.post,
  );
  await publishOnce({ ...site.deps, config: { ...site.deps.config, permalinks: '/p/{slug}/' } });
  expect(isShown(site)).toBe(true);
  expect(await publishOnce(site.deps)).toMatchObject({ setAside: [] });
});
