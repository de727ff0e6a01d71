// Whatever saves and plain statements one generation holds, no event says what its snapshot denies.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plan, positionOf, run, type Statement } from '../../../helpers/events.ts';
import { createPublication, uuidOf } from '../../../helpers/publication.ts';

const POSTS = ['a', 'b'].map((letter) => letter.repeat(24));
const NOW = '2026-01-01T10:00:00.000Z';

type Edit = readonly [kind: number, post: number, isLabelled: boolean, value: number];

const KINDS: readonly ((id: string, value: number) => Statement)[] = [
  (id, value) => [
    `INSERT OR IGNORE INTO posts (id, uuid, title, slug, status, published_at, created_at)
     VALUES (?, ?, 't', ?, ?, ?, ?)`,
    id,
    uuidOf(id),
    id,
    ['draft', 'published', 'scheduled'][value % 3],
    NOW,
    NOW,
  ],
  (id) => ["UPDATE posts SET status = 'published' WHERE id = ?", id],
  (id) => ["UPDATE posts SET status = 'draft' WHERE id = ?", id],
  (id) => ["UPDATE posts SET status = 'scheduled' WHERE id = ?", id],
  (id) => [
    "UPDATE posts SET type = CASE type WHEN 'post' THEN 'page' ELSE 'post' END WHERE id = ?",
    id,
  ],
  (id, value) => ['UPDATE posts SET title = ? WHERE id = ?', `t${value}`, id],
  (id) => ['DELETE FROM posts WHERE id = ?', id],
];

const edit = fc.tuple(fc.nat(KINDS.length - 1), fc.nat(POSTS.length - 1), fc.boolean(), fc.nat(5));

test('events and snapshot agree', async () => {
  const publication = await createPublication();
  const { shell } = publication;
  const stateOf = (id: string) =>
    shell.prepare('SELECT status, type FROM posts WHERE id = ?').get(id) as
      | { status: string; type: string }
      | undefined;
  const readableAs = (id: string): string | null => {
    const state = stateOf(id);
    return state?.status === 'published' ? state.type : null;
  };
  let saves = 0;
  const property = fc.asyncProperty(
    fc.array(edit, { maxLength: 6 }),
    fc.array(edit, { maxLength: 12 }),
    async (before: Edit[], script: Edit[]) => {
      shell.exec('DELETE FROM posts');
      const apply = async ([kind, post, isLabelled, value]: Edit) => {
        const statement = KINDS[kind]?.(POSTS[post] ?? '', value) ?? ['SELECT 1'];
        saves += 1;
        await run(publication, [statement], isLabelled ? `save-${saves}` : null);
      };
      for (const one of before) await apply(one);
      const was = new Map(POSTS.map((id) => [id, readableAs(id)]));
      const after = positionOf(publication);
      for (const one of script) await apply(one);
      const events = await plan(publication, after, { changedBytes: true });
      const keys = events.map((e) => [e.action, e.event, e.recordId, e.ordinal].join(' '));
      expect(new Set(keys).size).toBe(keys.length);
      expect(
        (await plan(publication, after, { changedBytes: true })).map(({ payload }) => payload),
      ).toEqual(events.map(({ payload }) => payload));
      for (const id of POSTS) {
        const flips = events
          .filter(({ recordId, event }) => recordId === id && /\.(?:un)?published$/.test(event))
          .map(({ event }) => event);
        const [then, now] = [was.get(id) ?? null, readableAs(id)];
        const expected =
          then === now
            ? []
            : [...(then ? [`${then}.unpublished`] : []), ...(now ? [`${now}.published`] : [])];
        expect(flips).toEqual(expected);
      }
    },
  );
  await fc.assert(property, { numRuns: 80 });
});
