// A Ghost database in a real MariaDB against the same data as a SQLite file and, where it has them, as a JSON
// export: the same content bytes. What is broken is one sentence, never with the password, and changes nothing.
import { join } from 'node:path';
import type { RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { PrepressError } from '../../src/base/errors.ts';
import { syncOnce } from '../../src/publication/follow/sync-once.ts';
import { importSource } from '../../src/publication/import/import-source.ts';
import { GHOST_TABLES } from '../../src/publication/import/intake/ghost-tables.ts';
import { openGhostMysql } from '../../src/publication/sources/ghost-mysql/source.ts';
import { openGhostSqlite } from '../../src/publication/sources/ghost-sqlite/source.ts';
import type { RowHash, Source, SourceState, Wanted } from '../../src/publication/sources/source.ts';
import { listUnread } from '../../src/publish/build/set-aside/broken-rows.ts';
import { CAPTURED_DATABASE, CAPTURED_SITE_URL } from '../helpers/captured-site.ts';
import { countLooks } from '../helpers/counted-syncs.ts';
import { eventually } from '../helpers/eventually.ts';
import { fillFromSqlite } from '../helpers/fill-mariadb.ts';
import { makeGhostDatabase, OWN_EXPORT } from '../helpers/ghost-database.ts';
import { QUIET_CHANGES } from '../helpers/ghost-edits.ts';
import { createPublication } from '../helpers/publication.ts';
import { prepress, runPrepress } from '../helpers/run-prepress.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { readTree } from '../helpers/tree.ts';
import { dump } from '../unit/publication/import/ghost-import.ts';
import { MARIADB_INSTALL, type Mariadb, PASSWORD_FORMS, startMariadb } from './mariadb-process.ts';
import { missing } from './program.ts';

/** Making its data folder takes some seconds. */
const START_MS = 120_000;

const OLD = [
  "UPDATE old.migrations SET currentVersion = '4.48', version = '4.48'",
  'ALTER TABLE old.posts DROP COLUMN html',
];
const REVOKED = "REVOKE ALL ON closed.* FROM reader_closed@'%'";
const GRANTED = "GRANT SELECT ON closed.migrations TO reader_closed@'%'";

const reason = missing('mariadbd', MARIADB_INSTALL);

describe.skipIf(reason !== null)(`MariaDB${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  const suite = suiteFolder();
  let server: Mariadb;
  let own: string;

  beforeAll(async () => {
    server = await startMariadb(suite.path);
    own = join(suite.path, 'ghost.db');
    makeGhostDatabase(own).close();
  }, START_MS);
  afterAll(async () => {
    await server?.end();
    suite.remove();
  });

  const filled = async (database: string, file = own): Promise<string> => {
    await fillFromSqlite(server.root, database, file);
    return server.addressOf(database);
  };

  const openFor = (address: string): Source => {
    const source = openGhostMysql(address);
    onTestFinished(source.close);
    return source;
  };

  const faultOf = async (address: string): Promise<string> => {
    try {
      await openFor(address).open();
    } catch (error) {
      return error instanceof PrepressError ? `${error.code}: ${error.message}` : String(error);
    }
    return 'opened';
  };

  /** Imports and builds in a folder of its own; the files of the output. */
  const treeOf = async (source: string): Promise<Map<string, string>> => {
    const folder = temporaryFolder();
    const run = (...args: string[]) => prepress(folder, args);
    await run('import', source, '--site-url', CAPTURED_SITE_URL);
    await run('build');
    return readTree(join(folder, 'output'));
  };

  // Those of the captured site are in ghost-sources.test.ts.
  test('own rows give the same bytes from all their forms', async () => {
    const fromFile = await treeOf(own);
    expect(await treeOf(await filled('own'))).toEqual(fromFile);
    expect(await treeOf(OWN_EXPORT)).toEqual(fromFile);
  });

  test('a state is one snapshot, whatever is committed meanwhile, and nothing is written', async () => {
    const source = openFor(await filled('snapshot'));
    const state = await source.open();
    expect(state.version).toBe('6.65');
    const before = await titlesOf(state);
    await server.root.query("UPDATE snapshot.posts SET title = 'new'");
    await server.root.query('DELETE FROM snapshot.posts LIMIT 2');
    expect(await titlesOf(state)).toEqual(before);
    await state.close();
    expect(await titlesOf(await source.open())).toEqual(['new', 'new', 'new']);
  });

  test('rows, rowHashes and marks are those of the SQLite file', async () => {
    const file = openGhostSqlite(own);
    const live = openFor(await filled('rows'));
    const wanted = [{ table: 'posts' }, { table: 'members' }, { table: 'settings' }];
    const ofFile = await everything(await file.open(), wanted);
    expect(await everything(await live.open(), wanted)).toEqual(ofFile);
    const ids = ofFile.rows.map(({ id }) => String(id)).filter((_, at) => at % 2 === 0);
    const some = wanted.map(({ table }) => ({ table, ids }));
    const { rows } = await everything(await live.open(), some);
    expect(rows.map(({ id }) => id)).toEqual(ids);
    await file.close();
  });

  test('ids in capitals, with other signs or of numbers come in the order of their texts', async () => {
    const address = await filled('odd');
    const { root } = server;
    await root.query(`UPDATE odd.tags SET id = concat('5D', substr(id, 3)) LIMIT 1`);
    await root.query(`INSERT INTO odd.tags (id, name, slug, created_at) VALUES
      ('5d_0', 'a', 'a-odd', now()), ('5d-0', 'b', 'b-odd', now()), ('5E', 'c', 'c-odd', now())`);
    await root.query('CREATE TABLE odd.numbered (id INT PRIMARY KEY, slug VARCHAR(9))');
    await root.query("INSERT INTO odd.numbered VALUES (9, 'a'), (10, 'b'), (100, 'c')");
    const state = await openFor(address).open();
    const wanted = [{ table: 'tags' }, { table: 'numbered' }];
    const { rowHashes } = await everything(state, wanted);
    const ids = rowHashes.map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(6);
    const tags = ids.slice(0, -3);
    expect(tags).toEqual([...tags].sort());
    expect(ids.slice(-3)).toEqual(['10', '100', '9']);
  });

  test('times, long numbers and JSON come as texts, and a zero date as it is', async () => {
    const address = await filled('types');
    const { root } = server;
    await root.query("SET SESSION sql_mode = ''");
    await root.query(`ALTER TABLE types.posts ADD COLUMN locale2 JSON, ADD COLUMN huge BIGINT,
      ADD COLUMN stamped TIMESTAMP NULL, MODIFY updated_at DATETIME NOT NULL`);
    await root.query(`SET SESSION time_zone = '+03:00'`);
    await root.query(`UPDATE types.posts SET locale2 = '{"a":[1]}', huge = 9007199254740993,
      stamped = '2026-01-02 03:04:05', updated_at = '0000-00-00', title = 'Größe 🥖'`);
    await root.query('SET SESSION time_zone = DEFAULT, sql_mode = DEFAULT');
    const state = await openFor(address).open();
    const { rows } = await everything(state, [{ table: 'posts' }]);
    expect(rows[0]).toMatchObject({
      locale2: '{"a":[1]}',
      huge: '9007199254740993',
      stamped: '2026-01-02 00:04:05',
      updated_at: '0000-00-00 00:00:00',
      title: 'Größe 🥖',
    });
  });

  test('zero dates take nothing away: a document keeps its last time, and a new row is named', async () => {
    const address = await filled('zeros');
    const { root } = server;
    const { store, shell } = await createPublication();
    const source = openFor(address);
    await syncOnce({ store, source }, { begins: true });
    const records = (): unknown[] =>
      GHOST_TABLES.map(({ into }) => shell.prepare(`SELECT * FROM "${into}" ORDER BY id`).all());
    const before = records();
    await root.query("SET SESSION sql_mode = ''");
    const zeros: string[] = [];
    const [columns] = await root.query<RowDataPacket[]>(
      `SELECT table_name AS t, group_concat(column_name) AS c FROM information_schema.columns
       WHERE table_schema = 'zeros' AND data_type = 'datetime' GROUP BY table_name`,
    );
    for (const { t, c } of columns) {
      const names = String(c).split(',');
      for (const name of names) zeros.push(`${t}.${name}`);
      const sets = names.map((name) => `\`${name}\` = '0000-00-00'`);
      await root.query(`UPDATE zeros.\`${t}\` SET ${sets.join(', ')}`);
    }
    expect(zeros).toEqual(expect.arrayContaining(['posts.published_at', 'tags.created_at']));
    await syncOnce({ store, source });
    expect(records()).toEqual(before);
    const named = (): string[] => {
      const snapshot = store.snapshot();
      const unread = listUnread(snapshot, 'interface');
      snapshot.close();
      return unread.flatMap(({ table, id, problems }) =>
        problems.map(({ field }) => `${table} ${id} ${field}`),
      );
    };
    const [rows] = await root.query<RowDataPacket[]>(
      "SELECT id FROM zeros.posts WHERE status = 'published' ORDER BY id",
    );
    const published = rows.map(({ id }) => String(id));
    expect(published.length).toBeGreaterThan(0);
    expect(named().sort()).toEqual(published.map((id) => `posts ${id} created_at`));
    // A first import has no earlier version of these posts, and takes the rest.
    const other = await createPublication();
    const report = await importSource(other.store, openFor(address));
    expect(report.skipped.map(({ id, field }) => `${id} ${field}`)).toEqual(
      expect.arrayContaining(published.map((id) => `${id} created_at`)),
    );
    for (const table of ['tags', 'users', 'members', 'newsletters', 'labels', 'offers']) {
      const count = `SELECT count(*) FROM ${table}`;
      const all = shell.prepare(count).pluck().get();
      expect([table, other.shell.prepare(count).pluck().get()]).toEqual([table, all]);
    }
    expect(report.leftOut.map(({ table, field }) => `${table}.${field}`)).toContain(
      'tags.created_at',
    );
    await root.query('SET SESSION sql_mode = DEFAULT');
  });

  type Broken = readonly [database: string, named: string, ...sql: string[]];
  const broken: readonly Broken[] = [
    ['wiki', 'SOURCE_NOT_GHOST "migrations"', 'DROP TABLE wiki.migrations'],
    ['lacking', 'SOURCE_NOT_GHOST "posts_tags" 6.65', 'DROP TABLE lacking.posts_tags'],
    ['halved', 'SOURCE_NOT_GHOST "posts.html" 6.65', 'ALTER TABLE halved.posts DROP COLUMN html'],
    ['migrating', 'SOURCE_MIGRATING', 'UPDATE migrating.migrations_lock SET locked = 1'],
    ['old', 'SOURCE_VERSION 4.48 "posts.html"', ...OLD],
    ['closed', 'SOURCE_NO_PERMISSION ER_TABLEACCESS_DENIED_ERROR', REVOKED, GRANTED],
  ];
  const addressed: readonly (readonly [
    database: string,
    named: string,
    from: RegExp,
    to: string,
  ])[] = [
    ['login', 'SOURCE_UNREACHABLE ER_ACCESS_DENIED_ERROR', /:[^:@]+@/, ':wrong@'],
    ['gone', 'SOURCE_UNREACHABLE ECONNREFUSED', /:\d+\//, ':1/'],
    ['absent', 'SOURCE_NO_PERMISSION ER_DBACCESS_DENIED_ERROR', /\/absent$/, '/other'],
    ['plain', 'SOURCE_UNREACHABLE HANDSHAKE_SSL_ERROR', /$/, '?ssl=true'],
  ];

  /** One sentence that names the database, its fault and no password. */
  const expectFault = async (address: string, named: string): Promise<void> => {
    const said = await faultOf(address);
    expect(said).toMatch(/^\w+: .*\.$/);
    for (const part of `mysql://reader_ ${named}`.split(' ')) expect(said).toContain(part);
    for (const password of PASSWORD_FORMS) expect(said).not.toContain(password);
  };

  test.each(broken)('a database that is %s is refused with %s', async (name, named, ...changes) => {
    const address = await filled(name);
    for (const sql of changes) await server.root.query(sql);
    await expectFault(address, named);
  });

  test.each(addressed)('the address of %s is refused with %s', async (name, named, from, to) => {
    await expectFault((await filled(name)).replace(from, to), named);
  });

  test('a table that stays locked is refused', async () => {
    const address = await filled('locked');
    const ghost = await server.connect('locked');
    onTestFinished(() => ghost.end());
    await ghost.query('LOCK TABLES migrations WRITE');
    await expectFault(address, 'SOURCE_BUSY ER_LOCK_WAIT_TIMEOUT');
  });

  /** Leaves the reader a right on each column but this one. */
  const grantAllBut = async (database: string, hidden: string): Promise<void> => {
    await server.root.query(`REVOKE ALL ON ${database}.* FROM reader_${database}@'%'`);
    const [rows] = await server.root.query<RowDataPacket[]>(
      `SELECT table_name AS t, group_concat(concat('\`', column_name, '\`')) AS c
       FROM information_schema.columns WHERE table_schema = ? AND concat(table_name, '.', column_name) <> ?
       GROUP BY table_name`,
      [database, hidden],
    );
    for (const { t, c } of rows) {
      await server.root.query(
        `GRANT SELECT (${c}) ON ${database}.\`${t}\` TO reader_${database}@'%'`,
      );
    }
  };

  test('rows without a column that is hidden from the user are not taken, unless nobody asks for it', async () => {
    for (const hidden of ['posts.show_title_and_feature_image', 'members.commenting']) {
      const database = hidden.replace('.', '_');
      const address = await filled(database, CAPTURED_DATABASE);
      await grantAllBut(database, hidden);
      const { store, shell } = await createPublication();
      const source = openFor(address);
      const refused = { code: 'SOURCE_NO_PERMISSION' };
      await expect(importSource(store, source)).rejects.toMatchObject(refused);
      const look = syncOnce({ store, source }, { begins: true });
      await expect(look).rejects.toMatchObject(refused);
      expect(shell.prepare('SELECT count(*) FROM posts').pluck().get(), hidden).toBe(0);
    }
    const address = await filled('passwords', CAPTURED_DATABASE);
    await grantAllBut('passwords', 'users.password');
    const { store } = await createPublication();
    const { tables } = await importSource(store, openFor(address));
    expect(tables.posts?.added).toBeGreaterThan(5);
  });

  test('TLS is as the address says', async () => {
    const address = await filled('tls');
    const trusting = encodeURIComponent(JSON.stringify({ ca: server.certificate }));
    const heedless = encodeURIComponent(JSON.stringify({ rejectUnauthorized: false }));
    await server.root.query("ALTER USER reader_tls@'%' REQUIRE SSL");
    expect(await faultOf(address)).toMatch(/^SOURCE_UNREACHABLE: /);
    for (const ssl of [trusting, heedless]) {
      expect(await faultOf(`${address}?ssl=${ssl}`)).toBe('opened');
    }
  });

  test('a connection that is lost midway changes nothing, and the next run goes through', async () => {
    const address = await filled('lost');
    await server.root.query('CREATE TABLE lost.numbers AS SELECT seq FROM seq_1_to_20000');
    await server.root.query(
      `INSERT INTO lost.labels (id) SELECT lpad(hex(seq), 24, '0') FROM lost.numbers`,
    );
    const publication = await createPublication();
    const source = openFor(address);
    const before = dump(publication.shell, 'with log');
    let isCut = false;
    const cut = async (): Promise<void> => {
      isCut = true;
      const [threads] = await server.root.query<RowDataPacket[]>(
        "SELECT id FROM information_schema.processlist WHERE user = 'reader_lost'",
      );
      for (const { id } of threads) await server.root.query(`KILL ${id}`);
    };
    const importing = importSource(publication.store, {
      ...source,
      open: async () => {
        const state = await source.open();
        return { ...state, rows: (wanted) => cutAfterFirst(state.rows(wanted), cut) };
      },
    });
    await expect(importing).rejects.toMatchObject({ code: 'SOURCE_LOST' });
    expect(isCut).toBe(true);
    expect(dump(publication.shell, 'with log')).toBe(before);
    await source.close();
    await importSource(publication.store, openFor(address));
    expect(dump(publication.shell, 'with log')).not.toBe(before);
  });

  test('no output of the command has the password', async () => {
    const good = await filled('secret');
    const folder = temporaryFolder();
    const runs = [
      await runPrepress(folder, ['import', good, '--json']),
      await runPrepress(folder, ['import', good.replace('/secret', '/other')]),
      await runPrepress(folder, ['import', good.replace(/:\d+\//, ':1/')]),
      await runPrepress(folder, ['import', good.replace('mysql://', 'mysql:/')]),
      await runPrepress(folder, ['import', `${good}?ssl=%7B`]),
      await runPrepress(folder, ['import', `mysql://reader:${PASSWORD_FORMS[0]}@127.0.0.1/secret`]),
    ];
    expect(runs.map(({ code }) => code)).toEqual([0, 1, 1, 2, 2, 2]);
    for (const { stdout, stderr } of runs) {
      for (const password of PASSWORD_FORMS) expect(stdout + stderr).not.toContain(password);
    }
  });

  test('a look reads no table that was left alone, and notices each change without a time', async () => {
    const address = await filled('looks');
    const ghost = await server.connect('looks');
    onTestFinished(() => ghost.end());
    const { store } = await createPublication();
    const source = openFor(address);
    await syncOnce({ store, source }, { begins: true });
    const { look, read } = countLooks(store, source);
    /** The server knows no time of a table that nobody ever wrote to. */
    const settles = (): Promise<void> =>
      eventually(async () => {
        await look();
        for (const { table } of QUIET_CHANGES) expect(read()).not.toContain(table);
      }, 200);
    await settles();
    for (const { table, sql } of QUIET_CHANGES) {
      await ghost.query(sql);
      const report = await look();
      expect((report?.changed ?? 0) + (report?.gone ?? 0), sql).toBeGreaterThan(0);
      expect(read(), sql).toContain(table);
    }
    await settles();
    await ghost.query("ALTER TABLE tags ADD COLUMN parent_id varchar(24) DEFAULT 'Added'");
    await look();
    expect(read()).toContain('tags');
  });
});

const cutAfterFirst = async function* <T>(
  batches: AsyncIterable<T>,
  cut: () => Promise<void>,
): AsyncGenerator<T> {
  let taken = 0;
  for await (const batch of batches) {
    taken += 1;
    if (taken === 2) await cut();
    yield batch;
  }
};

type Row = Record<string, unknown>;

/** All rows and rowHashes that were asked for, rows in the order of their ids. */
const everything = async (state: SourceState, wanted: readonly Wanted[]) => {
  const rows: Row[] = [];
  const rowHashes: RowHash[] = [];
  let share = 0;
  for await (const batch of state.rows(wanted)) {
    rows.push(...(batch.rows as Row[]));
    expect(batch.share).toBeGreaterThanOrEqual(share);
    share = batch.share;
  }
  if (wanted.every(({ ids }) => ids === undefined)) expect(share).toBe(1);
  for await (const batch of state.rowHashes(wanted)) rowHashes.push(...batch.rowHashes);
  await state.close();
  rows.sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
  return { rows, rowHashes };
};

const titlesOf = async (state: SourceState): Promise<unknown[]> => {
  const titles: unknown[] = [];
  for await (const { rows } of state.rows([{ table: 'posts', columns: ['title'] }])) {
    titles.push(...(rows as Row[]).map(({ title }) => title));
  }
  return titles;
};
