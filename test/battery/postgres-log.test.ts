// The log of a publication in PostgreSQL beside writers that know nothing of it, and readers that are killed at any moment:
// each change is read once, whole commits at a time, in the order in which its record was changed.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openConnection } from '../../src/base/sqlite/connection.ts';
import type { SqliteConnection } from '../../src/base/sqlite/driver.ts';
import { compareRows } from '../../src/publication/store/move-database.ts';
import { openReadModel } from '../../src/publication/store/postgres/read-model.ts';
import { scopeOf } from '../../src/publication/store/postgres/read-model-file.ts';
import { openSession } from '../../src/publication/store/postgres/session.ts';
import { listTables } from '../../src/publication/store/postgres/table-shapes.ts';
import { tail } from '../../src/publication/store/postgres/tail.ts';
import { eventually } from '../helpers/eventually.ts';
import { createRandom, SEED } from '../helpers/random.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { describePostgres } from '../matrix/postgres-process.ts';
import { beginWriting, runWriter, type Told } from './checks/log-writers.ts';
import { bundleProgram } from './program.ts';
import { sayRow, sized, untilAllEnd } from './size.ts';

const WRITERS = 8;
const SIZE = sized({ short: { changes: 2_000, kills: 5 }, long: { changes: 50_000, kills: 100 } });

/** Nobody waits for who drew a number before: it may be seen last. */
const UNLOCKED = `DO $do$ BEGIN EXECUTE replace(pg_get_functiondef('prepress_seal'::regproc),
  'pg_advisory_xact_lock', 'pg_advisory_xact_lock_shared'); END $do$`;

const insertTag = (slug: string): string =>
  `INSERT INTO tags (id, name, slug, created_at) VALUES ('${slug.repeat(24)}', '${slug}', '${slug}', '2026')`;

/** What PostgreSQL logged, and what of it was read. */
const compareLogs = async (client: Client, file: SqliteConnection) => {
  const { rows } = await client.query<{ changes: number; shown: number; unsealed: number }>(
    `SELECT count(c.tx)::int AS changes, count(ch.record_id)::int AS shown, count(*)::int - count(c.tx)::int AS unsealed
     FROM changes ch LEFT JOIN commits c ON c.tx = ch.tx`,
  );
  const [logged = { changes: 0, shown: 0, unsealed: 0 }] = rows;
  // The file's log begins with a note of its position.
  const read = file.prepare('SELECT count(*) FROM changes WHERE seq > 0').pluck().get() as number;
  const titles = file
    .prepare(
      `SELECT record_id AS id, json_extract(old, '$.title') AS title FROM changes
       WHERE entity = 'posts' AND op = 'u' ORDER BY seq`,
    )
    .all() as { id: string; title: string }[];
  const next = new Map<string, number>();
  let disordered = 0;
  for (const { id, title } of titles) {
    if (Number(title) !== (next.get(id) ?? 0)) disordered += 1;
    next.set(id, Number(title) + 1);
  }
  return { ...logged, read, disordered };
};

describePostgres((server) => {
  const createLog = async () => {
    const address = await server.create();
    const path = join(temporaryFolder(), 'replica.db');
    await (await openReadModel(path, { address, isReader: false }, {})).close();
    const client = await server.connect(address);
    onTestFinished(() => client.end());
    const file = openConnection(path, { mustExist: true });
    file.pragma('foreign_keys = OFF');
    onTestFinished(() => void file.close());
    const session = await openSession(address);
    onTestFinished(session.close);
    return { address, path, client, file, session };
  };

  const stress = async (changes: number, kills: number) => {
    const { address, path, client, file, session } = await createLog();
    const program = await bundleProgram('test/failure/log-reader-child.ts');
    const told: Told = { changes: 0, commits: 0, rollbacks: 0, deadlocks: 0 };
    const random = createRandom(SEED);
    const writing = await beginWriting(address, () => server.connect(address), { random, told });
    let killed = 0;
    let writers = 0;
    const isOver = () => told.changes >= changes && killed >= kills;
    const killReaders = async (): Promise<void> => {
      while (writers > 0) {
        const reader = fork(program, [path, address]);
        const ended = once(reader, 'exit');
        await Promise.race([once(reader, 'message'), ended]);
        const at = told.commits;
        await eventually(
          () => expect(told.commits > at + 10 || writers === 0).toBe(true),
          'commits',
        );
        expect([reader.exitCode, reader.signalCode]).toEqual([null, null]);
        reader.kill('SIGKILL');
        await ended;
        killed += 1;
      }
    };
    const write = async (): Promise<void> => {
      writers += 1;
      try {
        await runWriter(writing, isOver);
      } finally {
        writers -= 1;
      }
    };
    await untilAllEnd([...Array.from({ length: WRITERS }, write), killReaders()]);
    while ((await tail(session, file, scopeOf(false))) !== 'current');
    return { told, killed, client, file, session };
  };

  test(`no change of ${WRITERS} writers is skipped, read twice or out of order (seed ${SEED})`, async () => {
    const { told, killed, client, file, session } = await stress(SIZE.changes, SIZE.kills);
    const found = await compareLogs(client, file);
    sayRow('log of PostgreSQL', { ...told, 'readers killed': killed, ...found });
    expect(found).toMatchObject({
      changes: told.changes,
      read: found.shown,
      unsealed: 0,
      disordered: 0,
    });
    await compareRows(session, file, listTables());
  });

  test.each([
    ['by the lock of the seal', '', 3],
    ['and without that lock a change is never read', UNLOCKED, 2],
  ])('who drew a number first is seen first %s', async (_how, sabotage, read) => {
    const { address, client, file, session } = await createLog();
    await client.query(sabotage);
    await client.query(insertTag('0'));
    await tail(session, file, scopeOf(false));
    const beside = await server.connect(address);
    onTestFinished(() => beside.end());
    await client.query(`BEGIN; ${insertTag('a')}; SET CONSTRAINTS ALL IMMEDIATE`);
    let isSeen = false;
    const second = beside.query(insertTag('b')).then(() => {
      isSeen = true;
    });
    await eventually(async () => {
      const { rows } = await client.query(
        "SELECT FROM pg_locks WHERE NOT granted AND locktype = 'advisory'",
      );
      expect(isSeen || rows.length === 1).toBe(true);
    }, 'the second writer is there, or waits');
    await tail(session, file, scopeOf(false));
    await client.query('COMMIT');
    await second;
    await tail(session, file, scopeOf(false));
    expect(await compareLogs(client, file)).toMatchObject({ changes: 3, shown: 3, read });
  });
});
