// What ends the rounds of a build that sets rows aside, and rows that no earlier version can stand for.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { RowProblem } from '../../../../src/publication/documents/row-problem.ts';
import type { Snapshot } from '../../../../src/publication/snapshot/snapshot.ts';
import { createLocalPool } from '../../../../src/publish/build/render/render-pool.ts';
import { UNEXPECTED } from '../../../../src/publish/build/render/render-records.ts';
import type { RenderWorkers } from '../../../../src/publish/build/render/render-workers.ts';
import { createPublication, type Publication } from '../../../helpers/publication.ts';
import {
  buildInto,
  listSetAside,
  parseFile,
  publishWith,
  readTree,
} from '../../../helpers/tree.ts';

const fill = async (count: number): Promise<Publication & { ids: string[]; content: string }> => {
  const publication = await createPublication();
  const { shell, insert, folder } = publication;
  const ids = shell.transaction(() =>
    Array.from({ length: count }, () =>
      insert('posts', { status: 'published', published_at: '2026-01-01' }),
    ),
  )();
  return { ...publication, ids, content: join(folder, 'tree/content') };
};

const publish = ({ store, folder }: Publication, workers?: RenderWorkers) =>
  publishWith(buildInto, store, [join(folder, 'tree'), { ...(workers && { workers }) }]);

const listed = (content: string, resource: string): unknown[] =>
  parseFile(content, `${resource}/index.json`)[resource] as unknown[];

test('many rows that break at once are set aside, and every one is shown as it was', async () => {
  const site = await fill(120);
  await publish(site);
  const before = readTree(site.content);
  site.shell.exec("UPDATE posts SET published_at = 'never', title = 'Broken'");
  await publish(site);
  expect(readTree(site.content)).toEqual(before);
  expect(listSetAside(site.store)).toHaveLength(120);
  site.shell.exec("UPDATE posts SET published_at = '2026-01-01'");
  await publish(site);
  expect(listSetAside(site.store)).toEqual([]);
  expect(listed(site.content, 'posts')).toMatchObject(Array(120).fill({ title: 'Broken' }));
});

/** As another program leaves a table that it made again: no CHECK, no key. */
const rebuildTable = ({ shell }: Publication, table: string): void => {
  shell.pragma('foreign_keys = OFF');
  shell.exec(`CREATE TABLE rebuilt AS SELECT * FROM ${table}; DROP TABLE ${table};
    ALTER TABLE rebuilt RENAME TO ${table}`);
};

test.each(['../../../outside', 'index.json', 'slug', '', 'ABCDEFABCDEFABCDEFABCDEF'])(
  'a record whose id is "%s" is absent everywhere, and named until it goes',
  async (id) => {
    const site = await fill(2);
    const { insert, shell, store, content, ids } = site;
    const author = insert('users', {});
    insert('posts_authors', { post_id: ids[0], author_id: author });
    await publish(site);
    const before = readTree(content);
    for (const table of ['posts', 'tags', 'users']) rebuildTable(site, table);
    await store.mendTriggers();
    const row = { id, type: 'post', status: 'published', published_at: '2026-01-01' };
    insert('posts', { ...row, slug: 'odd' });
    insert('tags', { id, slug: 'odd', visibility: 'public' });
    insert('users', { id, slug: 'odd' });
    for (const post_id of [ids[0], id]) {
      insert('posts_tags', { post_id, tag_id: id });
      insert('posts_authors', { post_id, author_id: id, sort_order: 1 });
    }
    insert('posts_authors', { post_id: id, author_id: author });
    await publish(site);
    expect(readTree(content)).toEqual(before);
    expect(existsSync(join(site.folder, 'outside'))).toBe(false);
    expect(
      listSetAside(site.store)
        .map(({ entity }) => entity)
        .sort(),
    ).toEqual(['posts', 'tags', 'users']);
    await publish(site);
    for (const table of ['posts', 'tags', 'users']) {
      shell.prepare(`DELETE FROM ${table} WHERE id = ?`).run(id);
    }
    await publish(site);
    expect(listSetAside(site.store)).toEqual([]);
    expect(readTree(content)).toEqual(before);
  },
);

test('a record that has two rows is absent until one of them goes', async () => {
  const site = await fill(2);
  const { insert, shell, store, content, ids } = site;
  rebuildTable(site, 'posts');
  await store.mendTriggers();
  await publish(site);
  const twin = { id: ids[0], type: 'post', status: 'published', published_at: '2026-01-04' };
  insert('posts', { ...twin, title: 'Twin' });
  await publish(site);
  expect(listed(content, 'posts')).toMatchObject([{ id: ids[1] }]);
  shell.exec(
    "DELETE FROM posts WHERE title <> 'Twin' AND id IN (SELECT id FROM posts WHERE title = 'Twin')",
  );
  await publish(site);
  expect(listed(content, 'posts')).toMatchObject([{ title: 'Twin' }, { id: ids[1] }]);
});

/** Renders as this thread does, and fails for these records as nobody foresaw. */
const failingOn = ({ store }: Publication, failing: readonly string[]): RenderWorkers => {
  const snapshots: Snapshot[] = [];
  onTestFinished(() => {
    for (const snapshot of snapshots) snapshot.close();
  });
  return {
    start: (input) => {
      const snapshot = store.snapshot();
      snapshots.push(snapshot);
      const pool = createLocalPool(snapshot, input);
      return {
        width: 1,
        render: async (task) => {
          const result = await pool.render(task);
          const found = task.keys.filter(({ id }) => failing.includes(id));
          const problems = found.map(
            ({ id }): RowProblem => ({ table: 'posts', id, field: UNEXPECTED, reason: 'fails' }),
          );
          return { ...result, problems: [...result.problems, ...problems] };
        },
      };
    },
    close: async () => undefined,
  };
};

test('a row whose earlier version fails as well is not shown', async () => {
  const site = await fill(3);
  await publish(site);
  const [id = ''] = site.ids;
  site.shell.prepare("UPDATE posts SET published_at = 'never' WHERE id = ?").run(id);
  await publish(site, failingOn(site, [id]));
  expect(listed(site.content, 'posts')).toHaveLength(2);
  expect(listSetAside(site.store)).toMatchObject([{ id, isCurrent: true }]);
  expect(listSetAside(site.store)[0]?.hiddenSeq).not.toBeNull();
});

test('a program that fails for hundreds of rows leaves the tree as it is', async () => {
  const site = await fill(101);
  await publish(site);
  site.shell.exec("UPDATE posts SET published_at = 'never'");
  await publish(site);
  const before = readTree(site.content);
  site.shell.exec("UPDATE posts SET title = 'New'");
  const failed = publish(site, failingOn(site, site.ids));
  await expect(failed).rejects.toMatchObject({ code: 'BUILD_INPUT_INVALID' });
  expect(readTree(site.content)).toEqual(before);
});
