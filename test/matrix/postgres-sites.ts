// Servers of the sample publication in PostgreSQL, each on a machine of its own: a folder with the key that opens the secrets.
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from 'pg';
import { beforeAll, expect, onTestFinished } from 'vitest';
import { openConnection } from '../../src/base/sqlite/connection.ts';
import type { SqliteConnection } from '../../src/base/sqlite/driver.ts';
import { LOCKS } from '../../src/publication/store/postgres/change-log.ts';
import { eventually } from '../helpers/eventually.ts';
import { prepress } from '../helpers/run-prepress.ts';
import { type Serving, serve } from '../helpers/serve.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import type { Postgres } from './start-postgres.ts';

export type Post = { readonly id: string; readonly slug: string; readonly updated_at: string };
type Posts = { readonly posts: readonly [Post] };

/** Who led, and who announced what while another one led: servers by the `application_name` of their addresses. */
const WATCH = `CREATE SCHEMA watch;
  CREATE TABLE watch.leaders (holder text PRIMARY KEY, name text);
  CREATE TABLE watch.takeovers (holder text, after_ms float8);
  CREATE TABLE watch.announced (name text, is_late boolean);
  CREATE FUNCTION watch.lead() RETURNS trigger SECURITY DEFINER LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO watch.leaders VALUES (NEW.holder, current_setting('application_name')) ON CONFLICT DO NOTHING;
    IF split_part(OLD.holder, '/', 1) <> split_part(NEW.holder, '/', 1) AND OLD.until > '-infinity' THEN
      INSERT INTO watch.takeovers VALUES (NEW.holder, extract(epoch FROM NEW.until - OLD.until) * 1000);
    END IF;
    RETURN NULL; END $$;
  CREATE TRIGGER watch AFTER UPDATE ON leader FOR EACH ROW EXECUTE FUNCTION watch.lead();
  CREATE FUNCTION watch.announce() RETURNS trigger SECURITY DEFINER LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO watch.announced SELECT current_setting('application_name'), l.name <> current_setting('application_name')
      FROM leader JOIN watch.leaders l USING (holder);
    RETURN NULL; END $$;
  CREATE TRIGGER watch AFTER INSERT OR UPDATE ON published_position FOR EACH ROW EXECUTE FUNCTION watch.announce()`;

/** Makes PostgreSQL note who leads and announces, in the schema `watch`. */
export const watchLeaders = (client: Client): Promise<unknown> => client.query(WATCH);

/** The server that leads. */
export const leaderOf = async (client: Client): Promise<string | undefined> => {
  const { rows } = await client.query<{ name: string }>(
    'SELECT name FROM leader JOIN watch.leaders USING (holder) WHERE until > clock_timestamp()',
  );
  return rows[0]?.name;
};

/** The same address, at which PostgreSQL knows a server by this name. */
export const namedAt = (address: string, name: string): string => {
  const named = new URL(address);
  named.searchParams.set('application_name', name);
  return named.href;
};

type Environment = Readonly<Record<string, string>>;

export const postgresSites = (server: Postgres, suiteFolder: string) => {
  const sample = join(suiteFolder, 'sample');
  beforeAll(async () => {
    mkdirSync(sample);
    await prepress(sample, ['init']);
  });
  const environmentOf = (address: string): Environment => ({
    PREPRESS_DATABASE: address,
    PREPRESS_MEDIA: join(sample, 'media'),
    PREPRESS_SITE_URL: 'https://example.com',
    PREPRESS_LOG_LEVEL: 'info',
  });
  /** The folder of a machine that has served nothing yet. */
  const machine = (): string => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'data'));
    cpSync(join(sample, 'data/secret.key'), join(folder, 'data/secret.key'));
    return folder;
  };
  let carried = 0;
  const moved = async (): Promise<string> => {
    const address = await server.create();
    const environment = environmentOf(address);
    await prepress(sample, ['database', 'move', 'data/publication.db'], { environment });
    return address;
  };
  const start = (address: string, more: Environment = {}): Promise<Serving> =>
    serve(machine(), { environment: { ...environmentOf(address), ...more } });
  const shell = async (address: string): Promise<Client> => {
    const client = await server.connect(address);
    onTestFinished(() => client.end());
    return client;
  };
  /** Two servers, of which `one` is frozen in an announcement, at a lock of the log. */
  const freezeLeader = async (lock: 'save' | 'seal') => {
    const address = await moved();
    const client = await shell(address);
    await client.query(WATCH);
    const one = await start(namedAt(address, 'one'));
    const other = await start(namedAt(address, 'other'));
    await eventually(async () => expect(await leaderOf(client)).toBe('one'));
    const holders = { save: await shell(address), seal: await shell(address) };
    const hold = (at: 'save' | 'seal') =>
      holders[at].query(`BEGIN; SELECT pg_advisory_xact_lock(${LOCKS[at]})`);
    const isAt = (at: 'save' | 'seal') =>
      eventually(async () => {
        const { rows } = await client.query(
          `SELECT FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE NOT granted AND application_name = 'one'
           AND (classid, objid) = (${LOCKS[at]})`,
        );
        expect(rows.length).toBe(1);
      }, `the leader at the lock ${at}`);
    await hold('save');
    await client.query("UPDATE posts SET title = 'Renamed' WHERE slug = 'the-foghorn-tuner'");
    await isAt('save');
    if (lock === 'seal') {
      await hold('seal');
      await holders.save.query('COMMIT');
      await isAt('seal');
    }
    process.kill(one.pid, 'SIGSTOP');
    await holders[lock].query('COMMIT');
    return { client, one, other };
  };
  return {
    shell,
    freezeLeader,
    environmentOf,
    /** The publication as a file. */
    carryBack: async (address: string): Promise<SqliteConnection> => {
      carried += 1;
      const file = `data/again-${carried}.db`;
      const environment = environmentOf(address);
      await prepress(sample, ['database', 'move', '--back', file], { environment });
      const connection = openConnection(join(sample, file), { mustExist: true });
      onTestFinished(() => void connection.close());
      return connection;
    },
    machine,
    moved,
    start,
    save: async (at: Serving, post: object): Promise<Post> =>
      ((await at.admin('POST', '/posts/', { posts: [post] })) as Posts).posts[0],
  };
};
