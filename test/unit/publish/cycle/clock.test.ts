// What the clock may do to a publication: it publishes what is due, and takes nothing back, whatever it says.
import { expect, onTestFinished, test } from 'vitest';
import { acceptClock } from '../../../../src/publication/store/log/clock-state.ts';
import { beginAnnouncing } from '../../../../src/publication/store/log/publishing.ts';
import { publishOnce } from '../../../../src/publish/cycle/publish-once.ts';
import { startPublisher } from '../../../../src/publish/cycle/publisher.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { isOnPostgres } from '../../../helpers/publication.ts';
import { createPublishingSite } from '../../../helpers/publishing-site.ts';
import { readStatKeys } from '../../../helpers/tree.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const at = (text: string): number => Date.parse(`${text}T12:00:00Z`);

/** Two posts are shown, one of them just now; two are scheduled, for the next day and for 2030. */
const createScene = async () => {
  const site = await createPublishingSite(['post.published', 'post.unpublished', 'post.scheduled']);
  const { clock, deps, insert, shell, newEvents } = site;
  const add = (slug: string, status: string, ms: number): string =>
    insert('posts', { slug, status, published_at: new Date(ms).toISOString() });
  add('old', 'published', at('2020-01-01'));
  const tomorrow = clock.ms + DAY_MS;
  add('tomorrow', 'scheduled', tomorrow);
  add('year-30', 'scheduled', at('2030-01-01'));
  await publishOnce(deps);
  add('just-now', 'published', clock.ms);
  await publishOnce(deps);
  newEvents();
  const shown = shell.prepare("SELECT slug FROM posts WHERE status = 'published'").pluck();
  return {
    ...site,
    add,
    tomorrow,
    touch: (slug: string): unknown =>
      shell.prepare("UPDATE posts SET title = title || '!' WHERE slug = ?").run(slug),
    /** Builds at a time; the slugs that are shown, in the database and in files alike. */
    publishAt: async (ms: number, isFull = false) => {
      clock.ms = ms;
      const { clockWarning } = await publishOnce(deps, { isFull });
      const slugs = (shown.all() as string[]).sort();
      const files = [...readStatKeys(deps.paths.contentFolder).keys()];
      const inFiles = files.flatMap(
        (path) => /^posts\/slug\/(.+)\/index\.json$/.exec(path)?.[1] ?? [],
      );
      expect(inFiles.sort()).toEqual(slugs);
      return { slugs, isBehind: clockWarning !== null, events: newEvents() };
    },
  };
};

test('a boot at 1970 withdraws nothing and publishes nothing that is due, and the right time makes good', async () => {
  const { add, tomorrow, touch, publishAt } = await createScene();
  const kept = { slugs: ['just-now', 'old'], isBehind: true, events: [] };
  expect(await publishAt(0, true)).toEqual(kept);
  touch('just-now');
  add('due-in-1969', 'scheduled', -DAY_MS);
  expect(await publishAt(1_000)).toEqual({ ...kept, events: ['post.scheduled'] });
  // That such a build was announced does not make its clock right.
  expect(await publishAt(2_000)).toEqual(kept);
  const { slugs, isBehind } = await publishAt(tomorrow);
  expect({ slugs, isBehind }).toEqual({
    slugs: ['due-in-1969', 'just-now', 'old', 'tomorrow'],
    isBehind: false,
  });
});

test('the first build at 1970 shows what is published, publishes nothing that is due, and says why', async () => {
  const { clock, deps, insert, shell } = await createPublishingSite();
  clock.ms = 0;
  insert('posts', { slug: 'shown', status: 'published', published_at: '2026-04-01' });
  insert('posts', { slug: 'due', status: 'scheduled', published_at: '1969-01-01' });
  expect((await publishOnce(deps)).warnings).toEqual([
    'The clock says 1970-01-01T00:00:00.000Z, a time before this version of Prepress was made: scheduled posts are not published. Set the clock.',
  ]);
  const statuses = shell.prepare('SELECT slug, status FROM posts ORDER BY slug').raw();
  expect(statuses.all()).toEqual([
    ['due', 'scheduled'],
    ['shown', 'published'],
  ]);
});

test.skipIf(isOnPostgres)(
  'what an import published before the first build is not judged again',
  async () => {
    const { clock, deps, insert, shell } = await createPublishingSite();
    await beginAnnouncing(deps.store, clock.ms);
    const published_at = new Date(clock.ms + DAY_MS).toISOString();
    insert('posts', { slug: 'saved', status: 'published', published_at });
    shell.exec("UPDATE action_scope SET action = 'import:1'");
    insert('posts', { slug: 'imported', status: 'published', published_at });
    shell.exec('UPDATE action_scope SET action = NULL');
    await publishOnce(deps);
    const shown = shell.prepare("SELECT slug FROM posts WHERE status = 'published'").pluck();
    expect(shown.all()).toEqual(['imported']);
  },
);

test.skipIf(isOnPostgres)(
  'after a gap in the log, what was shown stays, and what was not is judged by the clock',
  async () => {
    const { add, clock, shell, publishAt } = await createScene();
    shell.exec('DROP TRIGGER prepress_posts_i');
    add('later', 'published', clock.ms + DAY_MS);
    const { slugs, events } = await publishAt(clock.ms - MINUTE_MS);
    expect({ slugs, events }).toEqual({ slugs: ['just-now', 'old'], events: [] });
  },
);

test('while the clock is behind, a row saved as published is shown up to the time of the latest build', async () => {
  const { add, clock, publishAt } = await createScene();
  add('before', 'published', clock.ms - MINUTE_MS);
  add('after', 'published', clock.ms + MINUTE_MS);
  expect((await publishAt(0)).slugs).toEqual(['before', 'just-now', 'old']);
});

test.each([1_000, 2 * MINUTE_MS, 5 * MINUTE_MS])(
  'a step back by %d ms changes nothing',
  async (step) => {
    const { clock, touch, publishAt } = await createScene();
    const unchanged = { slugs: ['just-now', 'old'], isBehind: false, events: [] };
    touch('just-now');
    expect(await publishAt(clock.ms - step)).toEqual(unchanged);
    expect(await publishAt(clock.ms, true)).toEqual(unchanged);
  },
);

const COLUMNS =
  'id, uuid, title, slug, type, visibility, status, created_at, updated_at, published_at';

test.each([
  [
    'written again with the same values',
    `REPLACE INTO posts (${COLUMNS}) SELECT ${COLUMNS} FROM posts WHERE slug = ?`,
    true,
  ],
  [
    'given the same time in another form',
    'UPDATE posts SET published_at = datetime(published_at) WHERE slug = ?',
    true,
  ],
  ['withdrawn and published again', "UPDATE posts SET status = 'draft' WHERE slug = ?", true],
  [
    'given a later time',
    "UPDATE posts SET published_at = '2026-05-01T12:00:01Z' WHERE slug = ?",
    false,
  ],
])('what was %s after a step back is taken back only for another time', async (_, sql, isKept) => {
  const { clock, shell, publishAt } = await createScene();
  shell.prepare(sql).run('just-now');
  shell.exec("UPDATE posts SET status = 'published' WHERE status = 'draft'");
  const { slugs } = await publishAt(clock.ms - MINUTE_MS);
  expect(slugs).toEqual(isKept ? ['just-now', 'old'] : ['old']);
});

test('a clock that ran years ahead holds what is due until the present is accepted, and what it published stays', async () => {
  const { add, clock, deps, publishAt } = await createScene();
  const present = clock.ms;
  const early = ['just-now', 'old', 'tomorrow', 'year-30'];
  expect((await publishAt(at('2040-01-01'))).slugs).toEqual(early);
  add('due', 'scheduled', present - MINUTE_MS);
  expect(await publishAt(present, true)).toEqual({
    slugs: early,
    isBehind: true,
    events: ['post.scheduled'],
  });
  await deps.store.write((tx) => acceptClock(tx, present));
  expect(await publishAt(present, true)).toEqual({
    slugs: ['due', ...early],
    isBehind: false,
    events: ['post.published'],
  });
});

test('a jump forwards in which nothing was announced holds nothing', async () => {
  const { clock, publishAt } = await createScene();
  const present = clock.ms;
  await publishAt(present + DAY_MS / 2);
  expect(await publishAt(present + MINUTE_MS)).toMatchObject({ isBehind: false, events: [] });
});

test('the loop says that the clock is behind, starts no cycle for what is due, and goes on when it is accepted', async () => {
  const { clock, deps, insert, shell, tomorrow } = await createScene();
  const warnings: (string | undefined)[] = [];
  const publisher = startPublisher(deps, {
    onPublished: ({ clockWarning }) => warnings.push(clockWarning?.split(',')[0]),
    onFailed: () => undefined,
  });
  onTestFinished(() => publisher.close());
  await eventually(() => expect(warnings).toEqual([undefined]));
  const behind = `The clock says ${new Date(tomorrow).toISOString()}`;
  shell.prepare('UPDATE published_position SET finished_at = ?').run(at('2040-01-01'));
  clock.ms = tomorrow;
  await eventually(() => expect(warnings).toEqual([undefined, behind]));
  insert('posts', {});
  await eventually(() => expect(warnings).toEqual([undefined, behind, behind]));
  const due = shell.prepare("SELECT status FROM posts WHERE slug = 'tomorrow'").pluck();
  expect(due.get()).toBe('scheduled');
  shell.prepare('UPDATE published_position SET finished_at = ?').run(clock.ms);
  await eventually(() => expect(due.get()).toBe('published'));
  expect(warnings.slice(0, 3)).toEqual([undefined, behind, behind]);
  await eventually(() => expect(warnings[3]).toBeUndefined());
});
