// Servers that only read a publication in PostgreSQL: moved in by the command, built from the read model of each machine,
// moved on by the log, and shown while PostgreSQL is away.
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from 'pg';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { openConnection } from '../../src/base/sqlite/connection.ts';
import { loadDriver } from '../../src/base/sqlite/driver.ts';
import { openSnapshot } from '../../src/publication/snapshot/open-snapshot.ts';
import { openReadModel, type ReadModel } from '../../src/publication/store/postgres/read-model.ts';
import { scopeOf } from '../../src/publication/store/postgres/read-model-file.ts';
import { openSession, type Session } from '../../src/publication/store/postgres/session.ts';
import { tail } from '../../src/publication/store/postgres/tail.ts';
import { eventually } from '../helpers/eventually.ts';
import { prepress, runPrepress } from '../helpers/run-prepress.ts';
import { startServing } from '../helpers/serve.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { readTree } from '../helpers/tree.ts';
import { describePostgres } from './postgres-process.ts';

describePostgres((server, suiteFolder) => {
  let sample: string;
  beforeAll(async () => {
    sample = join(suiteFolder, 'sample');
    mkdirSync(sample);
    await prepress(sample, ['init']);
    await prepress(sample, ['build']);
  });

  /** Media are files of a machine: here both have the same. */
  const at = (address: string, more: Readonly<Record<string, string>> = {}) => ({
    environment: { PREPRESS_DATABASE: address, PREPRESS_MEDIA: join(sample, 'media'), ...more },
  });
  const asReader = (address: string) => at(address, { PREPRESS_LEAD: 'never' });
  const moved = async (): Promise<string> => {
    const address = await server.create();
    await prepress(sample, ['database', 'move', 'data/publication.db'], at(address));
    return address;
  };
  const contentOf = (...path: string[]) => readTree(join(...path, 'content'));
  const shell = async (address: string) => {
    const client = await server.connect(address);
    onTestFinished(() => client.end());
    return client;
  };

  test('a moved publication has the same tree, and comes back as it was', async () => {
    const address = await moved();
    const folder = temporaryFolder();
    await prepress(folder, ['build'], asReader(address));
    const expected = contentOf(sample, 'output');
    expect(contentOf(folder, 'output')).toEqual(expected);
    const again = await runPrepress(
      sample,
      ['database', 'move', 'data/publication.db'],
      at(address),
    );
    expect(again.stderr).toContain('already holds a publication');
    mkdirSync(join(folder, 'back'));
    const back = join(folder, 'back/publication.db');
    await prepress(sample, ['database', 'move', '--back', back], at(address));
    const file = at(back, { PREPRESS_OUTPUT: 'again' });
    await prepress(folder, ['build'], file);
    expect(contentOf(folder, 'again')).toEqual(expected);
    const keys = (from: string) => prepress(from, ['keys', 'list', '--json'], file);
    const sampleKeys = await prepress(sample, ['keys', 'list', '--json']);
    expect(JSON.parse(await keys(folder))).toEqual(JSON.parse(sampleKeys));
  });

  test('a server that only reads shows what others commit, and what it read last while PostgreSQL is away', async () => {
    const address = await moved();
    const admin = await shell(address);
    await admin.query(
      "INSERT INTO members (id, uuid, email, created_at) VALUES ('m', 'm', 'secret@example.com', '2026')",
    );
    const folder = temporaryFolder();
    const serving = await startServing(folder, asReader(address));
    onTestFinished(async () => void (await serving.end()));
    const { content_key: key } = JSON.parse(
      await prepress(sample, ['status', '--secrets', '--json']),
    ) as { content_key: string };
    const titleOf = async (): Promise<string> => {
      const answer = await serving.get(`/content/posts/slug/the-foghorn-tuner/?key=${key}`);
      return ((await answer.json()) as { posts: { title: string }[] }).posts[0]?.title ?? '';
    };
    const rename = (client: Client, title: string) =>
      client.query("UPDATE posts SET title = $1 WHERE slug = 'the-foghorn-tuner'", [title]);
    await rename(admin, 'One');
    await eventually(async () => expect(await titleOf()).toBe('One'));
    await server.stop();
    expect(await titleOf()).toBe('One');
    await server.restart();
    await rename(await shell(address), 'Two');
    await eventually(async () => expect(await titleOf()).toBe('Two'));

    type Status = { last_build: { state: string; error: string | null } | null };
    const printed = await prepress(folder, ['status', '--json'], asReader(address));
    expect((JSON.parse(printed) as Status).last_build).toMatchObject({
      state: 'done',
      error: null,
    });

    const asked = ['/admin/posts/', '/desk/', '/hooks/build/x'];
    const statuses = await Promise.all(asked.map(async (path) => (await serving.get(path)).status));
    expect(statuses).toEqual([404, 404, 404]);
    const file = new (loadDriver())(join(folder, 'data/replica.db'), { readonly: true });
    const members = file.prepare('SELECT count(*) FROM members').pluck().get();
    file.close();
    expect(members).toBe(0);
    expect(existsSync(join(folder, 'data/secret.key'))).toBe(false);
    const refused = await runPrepress(
      folder,
      ['unpublish', 'the-foghorn-tuner'],
      asReader(address),
    );
    expect(refused.stderr).toContain('This server only reads the publication');
  });

  test('programs that find no copy at once share the one that is made', async () => {
    const address = await moved();
    const folder = temporaryFolder();
    const path = join(folder, 'replica.db');
    const place = { address, isReader: false };
    const opened = await Promise.allSettled([1, 2, 3, 4].map(() => openReadModel(path, place, {})));
    const models = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    for (const model of models) onTestFinished(() => model.close());
    expect(models.length).toBe(4);
    const admin = await shell(address);
    await admin.query("UPDATE tags SET name = 'Last'");
    await eventually(() => {
      const file = new (loadDriver())(path, { readonly: true });
      const names = file.prepare('SELECT DISTINCT name FROM tags').pluck().all();
      const state = file.pragma('integrity_check', { simple: true });
      file.close();
      expect([names, state, models.map((model) => model.seen() > 0)]).toEqual([
        ...[['Last'], 'ok', [true, true, true, true]],
      ]);
    });
  });

  test('a file that another program moved meanwhile is moved on at once', async () => {
    const address = await moved();
    const admin = await shell(address);
    const path = join(temporaryFolder(), 'replica.db');
    await (await openReadModel(path, { address, isReader: false }, {})).close();
    const openBoth = async () => {
      const session = await openSession(address);
      onTestFinished(session.close);
      const file = openConnection(path, { mustExist: true });
      onTestFinished(() => void file.close());
      file.pragma('foreign_keys = OFF');
      return { session, file };
    };
    const [own, other] = [await openBoth(), await openBoth()];
    await admin.query("UPDATE tags SET name = 'One'");
    let isFirst = true;
    const outrun: Session = {
      ...own.session,
      transaction: async (mode, work) => {
        if (isFirst) {
          isFirst = false;
          await tail(other.session, other.file, scopeOf(false));
          await admin.query("UPDATE tags SET name = 'Two'");
        }
        return own.session.transaction(mode, work);
      },
    };
    expect(await tail(outrun, own.file, scopeOf(false))).toBe('moved');
    expect(own.file.prepare('SELECT DISTINCT name FROM tags').pluck().all()).toEqual(['Two']);
  });

  test('while one program reads a file, one that reads other tables ends, and does not fill it anew', async () => {
    const address = await moved();
    const path = join(temporaryFolder(), 'replica.db');
    const open = (isReader: boolean) => openReadModel(path, { address, isReader }, {});
    const closeAll = (models: readonly ReadModel[]) =>
      Promise.all(models.map((model) => model.close()));
    const first = await open(false);
    const { ino } = statSync(path);
    const refused = { code: 'DATABASE_BUSY', message: expect.stringContaining('setting lead') };
    await expect(open(true)).rejects.toMatchObject(refused);
    expect(statSync(path).ino).toBe(ino);
    await closeAll([first]);
    const readers = await Promise.all([open(true), open(true)]);
    await expect(open(false)).rejects.toMatchObject(refused);
    await closeAll(readers);
    await closeAll([await open(false)]);
  });

  test('a file that is shown while PostgreSQL is away is held, too', async () => {
    const address = await moved();
    const path = join(temporaryFolder(), 'replica.db');
    await (await openReadModel(path, { address, isReader: false }, {})).close();
    const warnings: string[] = [];
    const away = { address: 'postgres://postgres@127.0.0.1:1/none', isReader: false };
    const shown = await openReadModel(path, away, { onWarning: (text) => warnings.push(text) });
    onTestFinished(() => shown.close());
    expect(warnings).toEqual([expect.stringContaining('What was read last is shown.')]);
    const reading = openReadModel(path, { address, isReader: true }, {});
    await expect(reading).rejects.toMatchObject({ code: 'DATABASE_BUSY' });
  });

  test('another database, or one without a publication, is no outage, and stays as it is', async () => {
    const address = await moved();
    const path = join(temporaryFolder(), 'replica.db');
    await (await openReadModel(path, { address, isReader: false }, {})).close();
    const other = new URL(address);
    other.pathname = '/nowhere';
    const wrong = openReadModel(path, { address: other.href, isReader: false }, {});
    await expect(wrong).rejects.toMatchObject({
      code: 'DATABASE_UNREACHABLE',
      hint: expect.stringContaining('the name of the database'),
    });
    // This server has no TLS.
    const secret = { address: `${address}?sslmode=require`, isReader: false };
    await expect(openReadModel(path, secret, {})).rejects.toThrow('SSL');
    const empty = await server.create();
    for (const command of ['status', 'build']) {
      const { code, stderr } = await runPrepress(temporaryFolder(), [command], at(empty));
      expect([command, code, stderr]).toEqual([
        command,
        1,
        expect.stringContaining('database move'),
      ]);
    }
    const session = await openSession(`${empty}?sslmode=prefer`);
    onTestFinished(session.close);
    const tables =
      "SELECT FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')";
    expect(await session.query(tables)).toEqual([]);
    await expect(openSession(`${empty}?sslmode=require`)).rejects.toThrow('SSL');
  });

  test('a log that lost commits is noticed, also where their numbers were given again', async () => {
    const address = await moved();
    const admin = await shell(address);
    const rename = (title: string) => admin.query('UPDATE tags SET name = $1', [title]);
    await rename('One');
    const folder = temporaryFolder();
    const path = join(folder, 'replica.db');
    const warnings: string[] = [];
    const place = { address, isReader: false };
    const open = () => openReadModel(path, place, { onWarning: (text) => warnings.push(text) });
    await (await open()).close();
    const { rows } = await admin.query('SELECT max(first_seq) - 1 AS seq FROM commits');
    await admin.query(
      'BEGIN; DELETE FROM commits WHERE first_seq = (SELECT max(first_seq) FROM commits)',
    );
    await admin.query(`SELECT setval('changes_seq', ${rows[0].seq}); COMMIT`);
    await rename('Two');
    await (await open()).close();
    expect(warnings).toEqual([expect.stringContaining('has a new change log')]);
    const file = new (loadDriver())(path, { readonly: true });
    onTestFinished(() => void file.close());
    expect(file.prepare('SELECT DISTINCT name FROM tags').pluck().all()).toEqual(['Two']);
  });

  test('a filled file has the log from the announced position on', async () => {
    const address = await moved();
    const admin = await shell(address);
    await admin.query("UPDATE tags SET name = 'One'");
    await admin.query(
      `UPDATE published_position SET (seq, nonce) = (SELECT last_seq, nonce FROM commits ORDER BY last_seq DESC LIMIT 1)`,
    );
    await admin.query(
      "UPDATE tags SET name = 'Two' WHERE slug = 'tools'; UPDATE users SET bio = 'B'",
    );
    const path = join(temporaryFolder(), 'replica.db');
    await (await openReadModel(path, { address, isReader: false }, {})).close();
    const snapshot = openSnapshot(path);
    onTestFinished(() => snapshot.close());
    const announced = snapshot.announced();
    expect(announced !== null && snapshot.follows(announced)).toBe(true);
    const file = new (loadDriver())(path, { readonly: true });
    onTestFinished(() => void file.close());
    const entities = file.prepare('SELECT DISTINCT entity FROM changes ORDER BY seq').pluck().all();
    expect(entities).toEqual(['tags', 'users']);
  });
});
