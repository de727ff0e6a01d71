// However a post and its links were edited, the walk back through the log gives each state it had.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openHistory } from '../../../../src/publish/webhooks/events/history.ts';
import { readStates } from '../../../../src/publish/webhooks/events/record-states.ts';
import { changesWithOld } from '../../../helpers/changes.ts';
import { positionOf } from '../../../helpers/events.ts';
import { createPublication, type Publication, uuidOf } from '../../../helpers/publication.ts';

const POSTS = ['a', 'b'].map((letter) => letter.repeat(24));
const TAGS = ['c', 'd'].map((letter) => letter.repeat(24));
const NOW = '2026-01-01T10:00:00.000Z';

type Edit = readonly [kind: number, post: number, tag: number, value: number];

const STATEMENTS: readonly ((edit: Edit) => readonly [string, unknown[]])[] = [
  ([, p, , v]) => [
    `INSERT OR REPLACE INTO posts (id, uuid, title, slug, html, created_at) VALUES (?, ?, ?, ?, ?, ?)`,
    [POSTS[p], uuidOf(POSTS[p] ?? ''), `t${v}`, `slug-${v % 2}`, v % 2 ? `<p>${v}</p>` : null, NOW],
  ],
  ([, p, , v]) => [
    'UPDATE OR REPLACE posts SET title = ?, slug = ? WHERE id = ?',
    [`t${v}`, `slug-${v % 2}`, POSTS[p]],
  ],
  ([, p, , v]) => [
    'UPDATE posts SET html = ?, plaintext = ? WHERE id = ?',
    [`<p>${v}</p>`, `${v}`, POSTS[p]],
  ],
  ([, p, , v]) => ['UPDATE posts SET html = ? WHERE id = ?', [`<b>${v}</b>`, POSTS[p]]],
  ([, p]) => ["UPDATE posts SET status = 'published' WHERE id = ?", [POSTS[p]]],
  ([, p]) => ['DELETE FROM posts WHERE id = ?', [POSTS[p]]],
  ([, p, t, v]) => [
    'INSERT OR IGNORE INTO posts_tags (id, post_id, tag_id, sort_order) VALUES (?, ?, ?, ?)',
    [`${v}`, POSTS[p], TAGS[t], v],
  ],
  ([, p, t]) => ['UPDATE posts_tags SET post_id = ? WHERE tag_id = ?', [POSTS[p], TAGS[t]]],
  ([, , t]) => ['DELETE FROM posts_tags WHERE tag_id = ?', [TAGS[t]]],
  ([, , t, v]) => ['UPDATE tags SET name = ? WHERE id = ?', [`n${v}`, TAGS[t]]],
  ([, , t]) => ['DELETE FROM tags WHERE id = ?', [TAGS[t]]],
  ([, p, , v]) => [
    'INSERT OR REPLACE INTO posts_meta (id, post_id, meta_title) VALUES (?, ?, ?)',
    [`m${p}`, POSTS[p], `m${v}`],
  ],
];

const edit = fc.tuple(
  fc.nat(STATEMENTS.length - 1),
  fc.nat(POSTS.length - 1),
  fc.nat(TAGS.length - 1),
  fc.nat(9),
);

const present = ({ store }: Publication, seq: number) => {
  const snapshot = store.snapshot();
  const states = readStates(openHistory([], (table, keys) => snapshot.rows(table, keys)));
  const result = POSTS.map((id) => states.post(id, seq));
  snapshot.close();
  return result;
};

test('the walk back finds every state', async () => {
  const publication = await createPublication();
  const { shell, store } = publication;
  await fc.assert(
    fc.asyncProperty(
      fc.array(edit, { maxLength: 25 }),
      fc.boolean(),
      async (script, hasForeignKeys) => {
        shell.pragma('foreign_keys = OFF');
        shell.exec(
          'DELETE FROM posts; DELETE FROM posts_tags; DELETE FROM posts_meta; DELETE FROM tags',
        );
        for (const tag of TAGS) publication.insert('tags', { id: tag, slug: tag });
        shell.pragma(`foreign_keys = ${hasForeignKeys ? 'ON' : 'OFF'}`);
        const start = positionOf(publication);
        const seen: [number, ReturnType<typeof present>][] = [[start, present(publication, start)]];
        for (const one of script) {
          const [sql, parameters] = STATEMENTS[one[0]]?.(one) ?? ['SELECT 1', []];
          try {
            shell.prepare(sql).run(parameters);
          } catch {
            continue;
          }
          const seq = positionOf(publication);
          seen.push([seq, present(publication, seq)]);
        }
        const snapshot = store.snapshot();
        const history = openHistory(await changesWithOld(snapshot, start), (table, keys) =>
          snapshot.rows(table, keys),
        );
        const states = readStates(history);
        for (const [seq, expected] of seen) {
          expect(POSTS.map((id) => states.post(id, seq))).toEqual(expected);
        }
        snapshot.close();
      },
    ),
    { numRuns: 60 },
  );
});
