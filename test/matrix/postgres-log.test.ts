// The schema and the change log in a real PostgreSQL: made once, noticed whoever writes, numbered in the order of commits.
import type { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { PrepressError } from '../../src/base/errors.ts';
import {
  findReason,
  mendLog,
  prepareDatabase,
} from '../../src/publication/store/postgres/prepare-database.ts';
import { openSession, type Session } from '../../src/publication/store/postgres/session.ts';
import { describePostgres } from './postgres-process.ts';

const NOW = '2026-01-01T00:00:00.000Z';

describePostgres((server) => {
  const open = async (address: string): Promise<Session> => {
    const session = await openSession(address);
    onTestFinished(session.close);
    return session;
  };
  const shell = async (address: string): Promise<Client> => {
    const client = await server.connect(address);
    onTestFinished(() => client.end());
    return client;
  };
  const prepared = async (): Promise<{ session: Session; client: Client; address: string }> => {
    const address = await server.create();
    const session = await open(address);
    await prepareDatabase(session);
    return { session, client: await shell(address), address };
  };

  const readLog = (session: Session) =>
    session.query(
      `SELECT c.last_seq AS seq, ch.entity, ch.op, ch.row_key, ch.record_id, ch.action FROM commits c
       JOIN changes ch ON ch.tx = c.tx ORDER BY c.last_seq, ch.n`,
    );
  const insertTag = (id: string): string =>
    `INSERT INTO tags (id, name, slug, created_at) VALUES ('${id.padStart(24, '0')}', '${id}', '${id}', '${NOW}')`;

  test('six servers that start at once make the schema once, and each update of it', async () => {
    const address = await server.create();
    const sessions = await Promise.all(Array.from({ length: 6 }, () => open(address)));
    const [session] = sessions as [Session];
    const prepareAll = async (): Promise<void> => {
      await Promise.all(sessions.map((one) => prepareDatabase(one)));
      const sql = 'SELECT count(*) AS n, max(number) AS newest FROM migrations';
      const [row] = await session.query(sql);
      expect(row).toEqual({ n: row?.newest, newest: expect.any(Number) });
    };
    await prepareAll();
    // As the program before the newest migration had it.
    await session.query('DROP TABLE left_members; DELETE FROM migrations WHERE number >= 21');
    await prepareAll();
    await session.query('SELECT FROM left_members');
  });

  test('who may only write a table is logged, and each commit is one group', async () => {
    const { session, client, address } = await prepared();
    await client.query(
      'CREATE ROLE writer LOGIN; GRANT INSERT, UPDATE, DELETE, SELECT ON tags TO writer',
    );
    const writer = await shell(address.replace('postgres@', 'writer@'));
    await writer.query(insertTag('a'));
    await client.query(
      `BEGIN; SET LOCAL prepress.action = 'save'; ${insertTag('b')}; SAVEPOINT s; ${insertTag('c')};
       ROLLBACK TO s; UPDATE tags SET name = 'B' WHERE slug = 'b'; UPDATE tags SET name = 'B' WHERE slug = 'b'; COMMIT`,
    );
    await client.query(`BEGIN; ${insertTag('e')}; ROLLBACK`);
    await client.query(
      "SET session_replication_role = replica; UPDATE tags SET slug = slug || '-1'",
    );
    await client.query('TRUNCATE tags CASCADE');
    const shown = (await readLog(session)).map(
      ({ seq, entity, op, row_key, action }) =>
        `${seq} ${entity} ${op} ${(row_key as string[])[0]?.slice(-1)}${action === null ? '' : ` ${action}`}`,
    );
    expect(shown).toEqual([
      '1 tags i a',
      '3 tags i b save',
      '3 tags u b save',
      '5 tags u a',
      '5 tags u b',
      '7 tags d a',
      '7 tags d b',
    ]);
  });

  test('a change that no document and no event shows names no record', async () => {
    const { session, client } = await prepared();
    const id = 'f'.repeat(24);
    await client.query(
      `INSERT INTO posts (id, uuid, title, slug, created_at, status) VALUES ('${id}', 'u', 't', 's', '${NOW}', 'published')`,
    );
    await client.query("UPDATE posts SET lexical = '{}'");
    await client.query("UPDATE posts SET html = 'x', plaintext = 'x'; UPDATE posts SET html = 'y'");
    const log = await readLog(session);
    expect(log.map(({ op, record_id }) => `${op} ${record_id}`)).toEqual([
      `i ${id}`,
      'u null',
      `u ${id}`,
      `u ${id}`,
    ]);
    const { rows } = await client.query('SELECT plaintext, published_at FROM posts');
    expect(rows).toEqual([{ plaintext: null, published_at: expect.stringMatching(/Z$/) }]);
  });

  test('a dropped trigger is made again, under another epoch', async () => {
    const { session, client } = await prepared();
    expect(await mendLog(session)).toBe(false);
    await client.query('DROP TRIGGER prepress_posts_u ON posts');
    expect(await mendLog(session)).toBe(true);
    expect(await mendLog(session)).toBe(false);
    await client.query('DROP TABLE leader, servers');
    expect(await mendLog(session)).toBe(false);
    await client.query('SELECT FROM leader, servers');
    await client.query(insertTag('a'));
    expect(await readLog(session)).toHaveLength(1);
  });

  const refused = async (work: Promise<unknown>): Promise<string> => {
    const error = await work.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof PrepressError)) return String(error);
    return `${error.code}: ${error.message}`.replace(/:\d{4,5}\//, ':PORT/');
  };

  test('what it cannot be kept in is refused with one sentence, without the password', async () => {
    const latin = await server.create("ENCODING 'LATIN1' LOCALE 'C'");
    const foreign = await server.create();
    const admin = await shell(foreign);
    await admin.query(
      "CREATE ROLE guest LOGIN PASSWORD 'geheim'; REVOKE ALL ON SCHEMA public FROM PUBLIC; GRANT USAGE ON SCHEMA public TO guest",
    );
    const guest = await open(foreign.replace('postgres@', 'guest:geheim@'));
    const standby = await open(foreign);
    await standby.query('SET default_transaction_read_only = on');
    const newer = await prepared();
    await newer.client.query("INSERT INTO migrations VALUES (999, 'later', '')");
    const taken = await server.create();
    await (await shell(taken)).query('CREATE TABLE posts (id int)');
    const said = [
      await refused(prepareDatabase(await open(taken))),
      await refused(prepareDatabase(await open(latin))),
      await refused(prepareDatabase(guest)),
      await refused(prepareDatabase(standby)),
      await refused(prepareDatabase(newer.session)),
      await refused(prepareDatabase(await open(foreign), { isReader: true })),
      await refused(openSession('postgres://user:geheim@127.0.0.1:1/blog')),
    ];
    expect(said.join('\n').replace(/test_\d+/g, 'DB')).toMatchInlineSnapshot(`
      "DATABASE_NOT_EMPTY: postgres://127.0.0.1:PORT/DB holds tables of another program: relation "posts" already exists.
      DATABASE_UNSUPPORTED: postgres://127.0.0.1:PORT/DB has the encoding LATIN1: make a database with ENCODING 'UTF8'.
      DATABASE_NO_PERMISSION: postgres://127.0.0.1:PORT/DB refused what Prepress needs: permission denied for schema public.
      DATABASE_UNSUPPORTED: postgres://127.0.0.1:PORT/DB is a standby, or read-only: name the primary server.
      DATABASE_TOO_NEW: postgres://127.0.0.1:PORT/DB has migration 999, which this Prepress does not know.
      DATABASE_MISSING: postgres://127.0.0.1:PORT/DB holds no publication.
      DATABASE_UNREACHABLE: postgres://127.0.0.1:1/blog cannot be reached: connection refused (ECONNREFUSED)."
    `);
    const facts = { text: 'PostgreSQL 15', number: 150_000, encoding: 'UTF8', standby: false };
    expect([
      findReason(facts),
      findReason({
        ...facts,
        text: 'CockroachDB CCL v24.3.1 (x86_64-pc-linux-gnu, built 2024/12/09)',
      }),
      findReason({ ...facts, text: 'PostgreSQL 15.2-YB-2.25.1.0-b0 on x86_64-pc-linux-gnu' }),
      findReason({ ...facts, number: 120_004 }),
      findReason({ ...facts, standby: true }),
    ]).toMatchInlineSnapshot(`
      [
        null,
        "is CockroachDB, whose locks do not hold what a publication needs: use PostgreSQL",
        "is YugabyteDB, whose locks do not hold what a publication needs: use PostgreSQL",
        "is PostgreSQL 12: version 13 or newer is needed",
        "is a standby, which can only be read: name the primary server",
      ]
    `);
  });
});
