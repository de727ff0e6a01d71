// What a server of a publication in PostgreSQL says and keeps: never the password, TLS as the address asks for it, a newer
// program's schema named, and texts as SQLite has them.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSession } from '../../src/publication/store/postgres/session.ts';
import { eventually } from '../helpers/eventually.ts';
import { prepress, runPrepress } from '../helpers/run-prepress.ts';
import { type Serving, serve, signToken } from '../helpers/serve.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { readTree } from '../helpers/tree.ts';
import { describePostgres } from './postgres-process.ts';
import { postgresSites } from './postgres-sites.ts';

const PASSWORD = 'geheim-9';

describePostgres((server, suiteFolder) => {
  const { environmentOf, moved, start, save } = postgresSites(server, suiteFolder);
  const shell = async (address: string) => {
    const client = await server.connect(address);
    onTestFinished(() => client.end());
    return client;
  };

  test('an owner without other rights is enough, and the password is nowhere', async () => {
    const address = await server.create();
    const admin = await shell(address);
    await admin.query(`CREATE ROLE app LOGIN PASSWORD '${PASSWORD}'`);
    await admin.query(`ALTER DATABASE ${new URL(address).pathname.slice(1)} OWNER TO app`);
    const own = address.replace('postgres@', `app:${PASSWORD}@`);
    const environment = environmentOf(own);
    const sample = join(suiteFolder, 'sample');
    const said = [
      await prepress(sample, ['database', 'move', 'data/publication.db'], { environment }),
    ];
    const at = await start(own);
    await save(at, { title: 'Saved', status: 'published' });
    said.push(JSON.stringify(await at.admin('GET', '/state/')));
    const run = async (...command: string[]): Promise<void> => {
      const { stdout, stderr } = await runPrepress(at.folder, command, { environment });
      said.push(stdout, stderr);
    };
    for (const command of ['status', 'verify', 'backup']) await run(command);
    await run('status', '--json');
    await run('build', '--database', own);
    expect(said.at(-1)).toContain('can read a password on a command line; set it in');
    await at.end();
    said.push(at.log());
    for (const name of readdirSync(join(at.folder, 'data'), { recursive: true }) as string[]) {
      const path = join(at.folder, 'data', name);
      if (statSync(path).isFile()) said.push(readFileSync(path, 'latin1'));
    }
    expect(said.filter((text) => text.includes(PASSWORD))).toEqual([]);
    await admin.query('CREATE ROLE low LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO low');
    const low = await runPrepress(at.folder, ['build'], {
      environment: environmentOf(address.replace('postgres@', 'low@')),
    });
    expect(low.stderr).toContain('refused what Prepress needs: permission denied');
  });

  /** Makes the server speak TLS with a certificate for localhost, signed by itself; the path of the certificate. */
  const speakTls = async (address: string): Promise<string> => {
    const folder = temporaryFolder();
    const admin = await shell(address);
    const { rows } = await admin.query<{ data: string }>(
      "SELECT current_setting('data_directory') AS data",
    );
    const data = rows[0]?.data ?? '';
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-keyout',
        'server.key',
        '-out',
        'server.crt',
        ...subject,
      ],
      { cwd: folder, stdio: 'ignore' },
    );
    const { uid, gid } = statSync(data);
    for (const name of ['server.key', 'server.crt']) {
      const path = join(data, name);
      copyFileSync(join(folder, name), path);
      chmodSync(path, 0o600);
      chownSync(path, uid, gid);
    }
    await admin.query('ALTER SYSTEM SET ssl = on');
    await admin.query('SELECT pg_reload_conf()');
    return join(folder, 'server.crt');
  };

  test('TLS is what the address asks for', async () => {
    const address = await server.create();
    const certificate = await speakTls(address);
    const ask = async (host: string, query: string): Promise<string> => {
      const asked = address.replace('127.0.0.1', host);
      try {
        const session = await openSession(`${asked}?${query}`);
        const [row] = await session.query(
          'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
        );
        await session.close();
        return row?.ssl === true ? 'encrypted' : 'plain';
      } catch (error) {
        return String(error).replaceAll(/:\d+\/test_\d+/g, '/DB');
      }
    };
    await eventually(async () =>
      expect(await ask('127.0.0.1', 'sslmode=require')).toBe('encrypted'),
    );
    const root = `sslmode=verify-full&sslrootcert=${encodeURIComponent(certificate)}`;
    expect([
      await ask('127.0.0.1', 'sslmode=disable'),
      await ask('localhost', root),
      await ask('localhost', 'sslmode=verify-full'),
      await ask('127.0.0.1', root),
    ]).toMatchInlineSnapshot(`
      [
        "plain",
        "encrypted",
        "PrepressError: postgres://localhost/DB cannot be reached: self-signed certificate.",
        "PrepressError: postgres://127.0.0.1/DB cannot be reached: Hostname/IP does not match certificate's altnames: IP: 127.0.0.1 is not in the cert's list: .",
      ]
    `);
  });

  test('a server goes on beside a newer one where the schema allows it, else it says so and shows on', async () => {
    const address = await moved();
    const admin = await shell(address);
    const one = await start(address);
    const other = await start(address);
    const later = (number: number, isAdditive: boolean): Promise<unknown> =>
      admin.query('INSERT INTO migrations VALUES ($1, $2, $3, $4)', [
        number,
        'later',
        '',
        isAdditive,
      ]);
    await admin.query("BEGIN; ALTER TABLE tags ADD COLUMN mood text NOT NULL DEFAULT 'calm'");
    await later(998, true);
    await admin.query('COMMIT');
    const { slug } = await save(other, { title: 'Beside', status: 'published' });
    const shows = async (at: Serving): Promise<void> => {
      const answer = await at.get(`/content/posts/slug/${slug}/?key=${one.contentKey}`);
      expect(answer.status).toBe(200);
    };
    const third = await start(address);
    for (const at of [one, other, third]) await eventually(() => shows(at));
    await later(999, false);
    await eventually(() => expect(other.log()).toContain('migration 999, which this Prepress'));
    const answer = await other.get('/admin/posts/', {
      method: 'POST',
      headers: {
        authorization: `Ghost ${await signToken(other.folder)}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ posts: [{ title: 'Refused' }] }),
    });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    await eventually(async () => {
      const { rows } = await admin.query('SELECT until < clock_timestamp() AS ended FROM leader');
      expect(rows).toEqual([{ ended: true }]);
    });
    await shows(one);
    await other.end();
    const again = await serve(other.folder, { environment: environmentOf(address) });
    await shows(again);
  });

  test('U+0000 and halves of surrogate pairs come into both databases alike', async () => {
    const fixture = join(import.meta.dirname, '../fixtures/ghost-small/ghost-export.json');
    const file = join(temporaryFolder(), 'export.json');
    const text = readFileSync(fixture, 'utf8').replaceAll(
      '"title": "',
      '"title": "A\\u0000B\\ud800C ',
    );
    expect(text.includes('A\\u0000B')).toBe(true);
    writeFileSync(file, text);
    const environments = [{}, { PREPRESS_DATABASE: await server.create() }];
    const trees = [];
    for (const environment of environments) {
      const folder = temporaryFolder();
      await prepress(folder, ['import', file, '--site-url', 'https://site.test'], { environment });
      await prepress(folder, ['build'], { environment });
      trees.push(readTree(join(folder, 'output/content')));
    }
    const [first, second] = trees;
    expect(second).toEqual(first);
    expect(
      [...(first ?? new Map()).values()].some((body) => String(body).includes('AB\ufffdC')),
    ).toBe(true);
  });
});
