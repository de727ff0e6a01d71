// Writers of a publication in PostgreSQL that know nothing of Prepress: any level of isolation, savepoints, rollbacks, prepared
// transactions, a replica's role, cascades, TRUNCATE and psql's COPY. They tell how many rows their commits changed.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Client } from 'pg';
import { createId } from '../../../src/base/ids.ts';
import { PSQL } from '../../matrix/start-postgres.ts';

export type Told = { changes: number; commits: number; rollbacks: number; deadlocks: number };

const TIME = '2026-01-01T00:00:00.000Z';
const POSTS = 300;
/** What one statement updates. */
const MANY = 60;
const LEVELS = ['READ COMMITTED', 'READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE'];

/** The title of each post is how often it was changed. */
const insertPost = (id: string): string =>
  `INSERT INTO posts (id, uuid, title, slug, status, created_at) VALUES ('${id}', '${id}', '0', '${id}', 'draft', '${TIME}')`;

const insertTag = (id: string): string =>
  `INSERT INTO tags (id, name, slug, created_at) VALUES ('${id}', 'Tag', '${id}', '${TIME}')`;

export type Writing = {
  readonly address: string;
  readonly connect: () => Promise<Client>;
  readonly random: () => number;
  readonly tag: string;
  readonly posts: readonly string[];
  readonly told: Told;
};

export const beginWriting = async (
  address: string,
  connect: Writing['connect'],
  { random, told }: Pick<Writing, 'random' | 'told'>,
): Promise<Writing> => {
  const posts = Array.from({ length: POSTS }, () => createId());
  const tag = createId();
  const client = await connect();
  await client.query([insertTag(tag), ...posts.map(insertPost)].join(';'));
  await client.end();
  told.changes += posts.length + 1;
  return { address, connect, random, told, posts, tag };
};

/** Writes until `isOver`. */
export const runWriter = async (
  { address, connect, random, told, posts, tag }: Writing,
  isOver: () => boolean,
): Promise<void> => {
  const client = await connect();
  const below = (end: number): number => Math.floor(random() * end);
  const count = async (sql: string, values: unknown[] = []): Promise<number> =>
    (await client.query(sql, values)).rowCount ?? 0;
  const changeTitles = (some: readonly string[]): Promise<number> =>
    count('UPDATE posts SET title = (title::int + 1)::text WHERE id = ANY($1)', [some]);
  const link = (post: string): Promise<number> =>
    count(
      'INSERT INTO posts_tags (id, post_id, tag_id, sort_order) VALUES ($1, $2, $3, 0) ON CONFLICT DO NOTHING',
      [createId(), post, tag],
    );
  const pick = (): string => posts[below(posts.length)] ?? '';
  const linkAndDelete = async (): Promise<number> => {
    const post = createId();
    const made = (await count(insertPost(post))) + (await link(post));
    // Its link goes by a cascade.
    return below(2) === 0
      ? made
      : made + (await count('DELETE FROM posts WHERE id = $1', [post])) + 1;
  };
  const truncate = async (): Promise<number> => {
    await client.query(`LOCK TABLE labels; INSERT INTO labels (id, name, slug, created_at)
      VALUES ('${createId()}', 'L', '${createId()}', '${TIME}')`);
    const { rowCount } = await client.query('SELECT FROM labels');
    await client.query('TRUNCATE labels CASCADE');
    return 1 + (rowCount ?? 0);
  };
  const many = (): readonly string[] => {
    const from = below(posts.length - MANY);
    return posts.slice(from, from + MANY);
  };
  const asReplica = async (): Promise<number> => {
    await client.query('SET LOCAL session_replication_role = replica');
    const changed = await changeTitles([pick()]);
    await client.query('SET LOCAL session_replication_role = origin');
    return changed;
  };
  const unlink = (): Promise<number> =>
    count('DELETE FROM posts_tags WHERE id IN (SELECT id FROM posts_tags ORDER BY id LIMIT 3)');
  const acts = [
    () => link(pick()),
    unlink,
    linkAndDelete,
    () => changeTitles(many()),
    asReplica,
    () => changeTitles([pick()]),
    () => changeTitles([pick()]),
    () => changeTitles([pick()]),
  ];
  const step = async (): Promise<number> => {
    const act = below(100) === 0 ? truncate : (acts[below(acts.length)] ?? unlink);
    if (below(6) > 0) return act();
    await client.query('SAVEPOINT s');
    const changed = await act();
    if (below(2) === 0) return changed;
    await client.query('ROLLBACK TO s');
    return 0;
  };
  const commit = async (): Promise<void> => {
    const name = createId();
    const prepared = `PREPARE TRANSACTION '${name}'; COMMIT PREPARED '${name}'`;
    for (const sql of below(20) === 0 ? prepared.split('; ') : ['COMMIT']) await client.query(sql);
  };
  const transact = async (): Promise<number> => {
    await client.query(`BEGIN ISOLATION LEVEL ${LEVELS[below(LEVELS.length)]}`);
    let changes = 0;
    for (let steps = 1 + below(6); steps > 0; steps -= 1) {
      changes += await step();
      if (below(2) === 0) await client.query('SELECT pg_sleep($1)', [random() * 0.008]);
      if (below(40) === 0) await client.query('SET CONSTRAINTS ALL IMMEDIATE');
    }
    if (below(8) === 0) {
      await client.query('ROLLBACK');
      told.rollbacks += 1;
      return 0;
    }
    await commit();
    return changes;
  };
  const copy = async (): Promise<number> => {
    const rows = [createId(), createId()].map((id) => `${id}\tTag\t${id}\t${TIME}`);
    const asked = promisify(execFile)(PSQL, [
      '-q',
      '-c',
      'COPY tags (id, name, slug, created_at) FROM STDIN',
      address,
    ]);
    asked.child.stdin?.end(`${rows.join('\n')}\n`);
    await asked;
    return rows.length;
  };
  while (!isOver()) {
    try {
      const changes = await (below(50) === 0 ? copy() : transact());
      told.changes += changes;
      told.commits += 1;
    } catch (error) {
      if (!isEnded(error)) throw error;
      told.deadlocks += 1;
      await client.query('ROLLBACK');
    }
  }
  await client.end();
};

/** PostgreSQL chose this one of several that waited for each other, or saw different states; psql has no code. */
const isEnded = (error: unknown): boolean =>
  /deadlock detected|could not serialize/.test((error as Error).message);
