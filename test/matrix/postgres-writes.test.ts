// Saves on the read model that are committed in PostgreSQL: both are equal after each, a stranger's commits are not lost, and
// who no longer leads announces nothing.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openConnection } from '../../src/base/sqlite/connection.ts';
import type { SqliteConnection } from '../../src/base/sqlite/driver.ts';
import { db } from '../../src/publication/store/db.ts';
import { compareRows } from '../../src/publication/store/move-database.ts';
import { openStore } from '../../src/publication/store/open-store.ts';
import { LOCKS } from '../../src/publication/store/postgres/change-log.ts';
import { openReadModel, type ReadModel } from '../../src/publication/store/postgres/read-model.ts';
import { noteChanges } from '../../src/publication/store/postgres/row-changes.ts';
import { openSession } from '../../src/publication/store/postgres/session.ts';
import { listTables } from '../../src/publication/store/postgres/table-shapes.ts';
import { createWrite } from '../../src/publication/store/postgres/write-through.ts';
import { openSqliteStore } from '../../src/publication/store/sqlite/open-store.ts';
import type { Store, Transaction } from '../../src/publication/store/store.ts';
import { eventually } from '../helpers/eventually.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { describePostgres } from './postgres-process.ts';
import { startProxy } from './postgres-proxy.ts';

const QUERY_MS_MAX = 90_000;
const CLOSE_MS_MAX = 2_000;
const END_MS_MAX = 6_000;
const NOW = '2026-01-01T00:00:00.000Z';

const idOf = (n: number): string => n.toString(16).padStart(24, '0');

describePostgres((server) => {
  const open = async (address: string): Promise<Store> => {
    const path = join(temporaryFolder(), 'replica.db');
    const postgres = { address, isReader: false };
    const store = await openStore(path, { postgres, mayLead: true, create: true });
    onTestFinished(store.close);
    return store;
  };
  const run = (tx: Transaction, text: string): Promise<unknown> => sql.raw(text).execute(db(tx));
  const tag = (n: number, slug: string): string =>
    `INSERT OR REPLACE INTO tags (id, name, slug, created_at) VALUES ('${idOf(n)}', '${slug}', '${slug}', '${NOW}')`;
  const post = (n: number): string =>
    `INSERT INTO posts (id, uuid, title, slug, created_at) VALUES ('${idOf(n)}', 'u${n}', 't', 's${n}', '${NOW}')`;
  const link = (n: number, postId: number, tagId: number): string =>
    `INSERT INTO posts_tags (id, post_id, tag_id) VALUES ('l${n}', '${idOf(postId)}', '${idOf(tagId)}')`;
  const differs = async (store: Store, address: string): Promise<string> => {
    const session = await openSession(address);
    const file = openConnection(store.path, { readonly: true });
    try {
      await compareRows(session, file, listTables());
      return '';
    } catch (error) {
      return String(error);
    } finally {
      file.close();
      await session.close();
    }
  };

  test('after each kind of change PostgreSQL and the read model are equal', async () => {
    const address = await server.create();
    const store = await open(address);
    const steps: readonly (readonly string[])[] = [
      [post(1), post(2), tag(1, 'a'), tag(2, 'b'), link(1, 1, 1), link(2, 1, 2), link(3, 2, 2)],
      // Through a unique column, with what refers to it.
      [tag(3, 'a')],
      [`DELETE FROM posts WHERE id = '${idOf(2)}'`],
      // A link gets another owner, and the one before goes.
      [
        `UPDATE posts_tags SET tag_id = '${idOf(3)}' WHERE id = 'l2'`,
        `DELETE FROM tags WHERE id = '${idOf(2)}'`,
      ],
      [`UPDATE posts SET html = 'x' || char(0) || 'y', featured = 1`],
      ["UPDATE tags SET slug = 'c'", tag(4, 'a')],
      // They change places.
      [
        "UPDATE tags SET slug = 'x' WHERE slug = 'a'",
        "UPDATE tags SET slug = 'a' WHERE slug = 'c'",
        "UPDATE tags SET slug = 'c' WHERE slug = 'x'",
      ],
      [
        "INSERT INTO event_bodies (id, sha256, body) VALUES (1, x'00ff', x'01')",
        "UPDATE event_bodies SET body = x'0200'",
      ],
      [tag(9, 'z'), `DELETE FROM tags WHERE id = '${idOf(9)}'`],
    ];
    const found: string[] = [];
    for (const statements of steps) {
      await store.write(async (tx) => {
        for (const one of statements) await run(tx, one);
      });
      found.push(await differs(store, address));
    }
    expect(found).toEqual(steps.map(() => ''));
    const { rows } = await sql<{ slug: string }>`SELECT slug FROM tags ORDER BY slug`.execute(
      db(store),
    );
    expect(rows.map(({ slug }) => slug)).toEqual(['a', 'c']);
    await expect(store.write((tx) => run(tx, post(1)))).rejects.toThrow(/UNIQUE/);
    expect(await differs(store, address)).toBe('');
  });

  test('no count is lost between two servers and a stranger', async () => {
    const address = await server.create();
    const [one, other] = [await open(address), await open(address)] as const;
    await one.write((tx) => run(tx, tag(1, 'n')));
    const shell = await server.connect(address);
    onTestFinished(() => shell.end());
    let runs = 0;
    const count = (store: Store) =>
      store.write(async (tx) => {
        runs += 1;
        const { rows } = await sql<{ name: string }>`SELECT name FROM tags`.execute(db(tx));
        const next = String((Number(rows[0]?.name) || 0) + 1);
        await sql`UPDATE tags SET name = ${next}`.execute(db(tx));
      });
    const strange = "UPDATE tags SET name = (coalesce(nullif(name, 'n'), '0')::int + 1)::text";
    const each = async (work: () => Promise<unknown>): Promise<void> => {
      for (let n = 0; n < 20; n += 1) await work();
    };
    await Promise.all([
      each(() => count(one)),
      each(() => count(other)),
      each(() => shell.query(strange)),
    ]);
    const { rows } = await shell.query('SELECT name FROM tags');
    expect(rows).toEqual([{ name: '60' }]);
    // What a stranger commits meanwhile has a save run again.
    expect(runs).toBeGreaterThanOrEqual(40);
  });

  test('a save that PostgreSQL ends for a deadlock runs again', async () => {
    const address = await server.create();
    const store = await open(address);
    const shell = await server.connect(address);
    onTestFinished(() => shell.end());
    await store.write((tx) => run(tx, tag(1, 'a')));
    let strange: Promise<unknown> | null = null;
    await store.write(async (tx) => {
      if (strange === null) {
        await shell.query("SET deadlock_timeout = '1h'; BEGIN; UPDATE tags SET name = 'Strange'");
        strange = shell.query(`SELECT pg_advisory_xact_lock(${LOCKS.save}); COMMIT`);
      }
      await run(tx, "UPDATE tags SET slug = 'b'");
    });
    await strange;
    expect((await shell.query('SELECT name, slug FROM tags')).rows).toEqual([
      { name: 'Strange', slug: 'b' },
    ]);
  });

  test("a stranger's commit is seen whatever level of isolation the database has by default", async () => {
    const address = await server.create();
    const shell = await server.connect(address);
    onTestFinished(() => shell.end());
    await shell.query(
      `ALTER DATABASE ${new URL(address).pathname.slice(1)} SET default_transaction_isolation = 'repeatable read'`,
    );
    const store = await open(address);
    await store.write((tx) => run(tx, tag(1, 'a')));
    let runs = 0;
    await store.write(async (tx) => {
      runs += 1;
      if (runs === 1) await shell.query("UPDATE tags SET name = 'Strange'");
      const { rows } = await sql<{ name: string }>`SELECT name FROM tags`.execute(db(tx));
      await run(tx, tag(2, rows[0]?.name ?? ''));
    });
    const { rows } = await shell.query('SELECT slug FROM tags ORDER BY id');
    expect(rows).toEqual([{ slug: 'a' }, { slug: 'Strange' }]);
  });

  test('a commit that was under way when the connection broke is waited for', async () => {
    const address = await server.create();
    const proxy = await startProxy(new URL(address));
    const store = await open(proxy.address);
    const shell = await server.connect(address);
    onTestFinished(() => shell.end());
    await shell.query(`CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN PERFORM pg_sleep(1); RETURN NULL; END'`);
    await shell.query(`CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON tags DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION slow()`);
    await store.write(async (tx) => {
      proxy.cutAfter('COMMIT');
      await run(tx, tag(1, 'a'));
    });
    expect((await shell.query('SELECT slug FROM tags')).rows).toEqual([{ slug: 'a' }]);
  });

  test('a save that was committed is no error, also where the file cannot show it at once', async () => {
    const address = await server.create();
    const store = await open(address);
    const model = await openReadModel(store.path, { address, isReader: false }, {});
    onTestFinished(() => model.close());
    const local = await openSqliteStore(store.path, {
      onReadModel: (connection) => noteChanges(connection, model.scope),
    });
    onTestFinished(local.close);
    let moves = 0;
    const full: ReadModel = {
      scope: model.scope,
      seen: model.seen,
      alone: (work) => model.alone(work),
      becomeCurrent: () => model.becomeCurrent(),
      close: () => model.close(),
      catchUp: (session) => {
        moves += 1;
        return moves > 1 ? Promise.reject(new Error('The disk is full.')) : model.catchUp(session);
      },
    };
    const write = createWrite({ model: full, local, fence: async () => undefined });
    expect(await write((tx) => run(tx, tag(1, 'a')).then(() => 'done'))).toBe('done');
    expect(moves).toBe(2);
    const shell = await server.connect(address);
    onTestFinished(() => shell.end());
    expect((await shell.query('SELECT slug FROM tags')).rows).toEqual([{ slug: 'a' }]);
  });

  test('a server ends beside a PostgreSQL that has fallen silent', async () => {
    const proxy = await startProxy(new URL(await server.create()));
    const store = await open(proxy.address);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    proxy.fallSilent();
    const ended: string[] = [];
    const save = store.write((tx) => run(tx, tag(1, 'a'))).catch(({ code }) => ended.push(code));
    const closing = store.close().then(() => ended.push('closed'));
    await vi.advanceTimersByTimeAsync(END_MS_MAX);
    vi.useRealTimers();
    await Promise.all([save, closing]);
    expect(ended).toEqual(['DATABASE_UNREACHABLE', 'closed']);
  });

  test('what PostgreSQL ended while the program was frozen cannot be reached', async () => {
    const session = await openSession(await server.create());
    onTestFinished(session.close);
    const frozen = session.transaction('', async () => {
      await session.query("SET LOCAL idle_in_transaction_session_timeout = '20ms'");
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
      await session.query('SELECT 1');
    });
    await expect(frozen).rejects.toMatchObject({ code: 'DATABASE_UNREACHABLE' });
  });

  test('a connection that has fallen silent keeps nobody waiting: neither its rollback nor its end', async () => {
    const proxy = await startProxy(new URL(await server.create()));
    const [asked, idle] = [await openSession(proxy.address), await openSession(proxy.address)];
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const ended: string[] = [];
    const save = new Promise<void>((silent) => {
      void asked
        .transaction('', async () => {
          proxy.fallSilent();
          const answer = asked.query('SELECT 1');
          silent();
          await answer;
        })
        .catch(({ code }) => ended.push(code));
    });
    await save;
    await vi.advanceTimersByTimeAsync(QUERY_MS_MAX);
    expect(ended).toEqual(['DATABASE_UNREACHABLE']);
    for (const session of [asked, idle]) void session.close().then(() => ended.push('closed'));
    await vi.advanceTimersByTimeAsync(CLOSE_MS_MAX);
    vi.useRealTimers();
    await eventually(() => expect(ended.slice(1)).toEqual(['closed', 'closed']));
  });

  test('a read model that is filled anew while it is open takes over nothing of the log of the file before it', async () => {
    const address = await server.create();
    const store = await open(address);
    const shell = await server.connect(address);
    onTestFinished(() => shell.end());
    await store.write((tx) => run(tx, tag(1, 'a')));
    const before = statSync(store.path).ino;
    await shell.query(
      "BEGIN; UPDATE tags SET name = 'One'; UPDATE log_state SET epoch = 'x'; COMMIT",
    );
    await eventually(() => expect(statSync(store.path).ino).not.toBe(before));
    await shell.query("UPDATE tags SET name = 'Two'");
    const nameOf = (from: SqliteConnection) => from.prepare('SELECT name FROM tags').pluck().get();
    const other = openConnection(store.path, { readonly: true });
    onTestFinished(() => void other.close());
    await eventually(() => expect(nameOf(other)).toBe('Two'));
    await store.reopenIfReplaced();
    await store.write((tx) => run(tx, tag(2, 'b')));
    const { rows } = await sql`SELECT name FROM tags ORDER BY slug`.execute(db(store));
    expect(rows).toEqual([{ name: 'Two' }, { name: 'b' }]);
    expect(other.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(await differs(store, address)).toBe('');
  });

  test('who no longer leads writes nothing as the leader, and a clean end lets another one lead', async () => {
    const address = await server.create();
    const one = await open(address);
    const shell = await server.connect(address);
    onTestFinished(() => shell.end());
    expect(one.leads()).toBe(true);
    await shell.query("UPDATE leader SET holder = 'another', until = 'infinity'");
    const write = one.write((tx) => run(tx, tag(1, 'a')), { asLeader: true });
    await expect(write).rejects.toMatchObject({ code: 'DATABASE_BUSY' });
    expect((await shell.query('SELECT FROM tags')).rowCount).toBe(0);
    await one.close();
    await shell.query("UPDATE leader SET until = '-infinity'");
    const next = await open(address);
    expect(next.leads()).toBe(true);
    await next.close();
    expect((await open(address)).leads()).toBe(true);
  });
});
