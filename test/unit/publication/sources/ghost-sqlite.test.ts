import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PrepressError } from '../../../../src/base/errors.ts';
import { loadDriver, type SqliteConnection } from '../../../../src/base/sqlite/driver.ts';
import { openGhostSqlite } from '../../../../src/publication/sources/ghost-sqlite/source.ts';
import type { Source, SourceState } from '../../../../src/publication/sources/source.ts';
import { openStore } from '../../../../src/publication/store/open-store.ts';
import { makeGhostDatabase } from '../../../helpers/ghost-database.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const makeGhost = (change: (database: SqliteConnection) => void = () => {}, version?: string) => {
  const file = join(temporaryFolder(), 'ghost.db');
  const database = makeGhostDatabase(file, version);
  change(database);
  database.close();
  return file;
};

const openFor = (file: string): Source => {
  const source = openGhostSqlite(file, { triesMax: 3 });
  onTestFinished(source.close);
  return source;
};

const readTitles = async (state: SourceState): Promise<unknown[]> => {
  const titles: unknown[] = [];
  for await (const { rows } of state.rows([{ table: 'posts', columns: ['title'] }])) {
    titles.push(...rows.map((row) => (row as { title: unknown }).title));
  }
  return titles;
};

const faultOf = async (file: string): Promise<string> => {
  try {
    await openFor(file).open();
  } catch (error) {
    return error instanceof PrepressError ? `${error.code}: ${error.message}` : String(error);
  }
  return 'opened';
};

/** Names and bytes of what lies in the folder of the database; who reads is noted in the log's index. */
const folderOf = (file: string): Record<string, string> => {
  const folder = join(file, '..');
  return Object.fromEntries(
    readdirSync(folder)
      .sort()
      .map((name) => [name, name.endsWith('-shm') ? '' : hashOf(join(folder, name))]),
  );
};

const hashOf = (file: string): string =>
  createHash('sha256').update(readFileSync(file)).digest('hex');

/** Ghost, as far as SQLite sees it: another process, for one's own locks tell one nothing. */
const startGhost = async (file: string, script: string): Promise<ChildProcess> => {
  const driver = JSON.stringify(
    Number(process.versions.node.split('.')[0]) < 22 ? 'better-sqlite3-node20' : 'better-sqlite3',
  );
  const code = `const db = new (require(${driver}))(${JSON.stringify(file)}, { timeout: 60000 });
    ${script}`;
  const child = spawn(process.execPath, ['-e', code], {
    cwd: process.cwd(),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  return child;
};

const WAITS = `console.log('ready'); process.stdin.resume();`;

const MODES: Readonly<Record<string, (file: string) => Promise<unknown>>> = {
  'in rollback mode': async () => {},
  'in WAL mode that nobody has open': async (file) => {
    const database = new (loadDriver())(file);
    database.pragma('journal_mode = WAL');
    database.close();
  },
  'in WAL mode that Ghost has open, with a log': (file) =>
    startGhost(
      file,
      `db.pragma('journal_mode = WAL');
       db.exec("UPDATE posts SET title = title || '!'"); ${WAITS}`,
    ),
};

for (const [mode, prepare] of Object.entries(MODES)) {
  test(`a database ${mode} is read, is no publication, and its folder stays as it is`, async () => {
    const file = makeGhost();
    await prepare(file);
    const before = folderOf(file);
    await expect(openStore(file)).rejects.toMatchObject({
      code: 'DATABASE_IS_GHOSTS',
      message: `The database ${file} is Ghost's own: import it with "prepress import ${file}".`,
    });
    expect(folderOf(file)).toEqual(before);
    const source = openFor(file);
    await source.fingerprint();
    const state = await source.open();
    expect(state.version).toBe('6.65');
    expect((await readTitles(state)).length).toBe(5);
    if (mode.includes('log'))
      expect(await readTitles(state)).toContainEqual(expect.stringMatching(/!$/));
    expect(folderOf(file)).toEqual(before);
    await state.close();
    expect(folderOf(file)).toEqual(before);
  });
}

test('a commit that broke off is taken back in what is read, and in no file of Ghost', async () => {
  const file = makeGhost();
  const titles = await readTitles(await openFor(file).open());
  const ghost = await startGhost(
    file,
    `db.pragma('cache_size = 1'); db.pragma('cache_spill = 1');
     db.exec("BEGIN; UPDATE posts SET title = 'torn'; UPDATE tags SET name = hex(randomblob(3000000))");
     ${WAITS}`,
  );
  ghost.kill('SIGKILL');
  await once(ghost, 'exit');
  const before = folderOf(file);
  expect(Object.keys(before)).toEqual(['ghost.db', 'ghost.db-journal']);
  expect(readFileSync(file).includes('torn')).toBe(true);
  expect(await readTitles(await openFor(file).open())).toEqual(titles);
  expect(folderOf(file)).toEqual(before);
});

test.each(['DELETE', 'WAL'])(
  'each state is one commit, while Ghost writes all the time (%s)',
  async (journal) => {
    const file = makeGhost();
    const ghost = await startGhost(
      file,
      `db.pragma('journal_mode = ${journal}'); db.pragma('synchronous = OFF');
       const write = db.transaction((n) => {
         db.exec(\`UPDATE posts SET title = 'commit \${n}', html = '\${'x'.repeat(20000)}'\`);
         db.exec(\`UPDATE tags SET name = 'commit \${n}'\`);
       });
       let n = 0; let ticks = 0;
       const run = () => { for (let i = 0; i < 20; i += 1) write(++n); setImmediate(run); };
       write(++n); console.log('ready'); run();`,
    );
    const source = openGhostSqlite(file);
    const seen = new Set<string>();
    for (let round = 0; round < 20; round += 1) {
      const state = await source.open();
      const names = new Set<unknown>();
      for await (const { rows } of state.rows([{ table: 'posts' }, { table: 'tags' }])) {
        for (const row of rows)
          names.add(
            (row as { title?: unknown; name?: unknown }).title ?? (row as { name: unknown }).name,
          );
      }
      expect([...names]).toHaveLength(1);
      seen.add(String([...names][0]));
      await state.close();
    }
    expect(seen.size).toBeGreaterThan(1);
    expect(ghost.exitCode).toBe(null);
  },
);

test('Ghost can write while a state is read, which stays as it was', async () => {
  const file = makeGhost();
  const state = await openFor(file).open();
  const before = await readTitles(state);
  const ghost = new (loadDriver())(file, { timeout: 0 });
  ghost.exec("UPDATE posts SET title = 'new'");
  ghost.close();
  expect(await readTitles(state)).toEqual(before);
});

test('a database that stays locked is busy', async () => {
  const file = makeGhost();
  const ghost = await startGhost(file, `db.exec('BEGIN EXCLUSIVE'); ${WAITS}`);
  expect(await faultOf(file)).toBe(
    `SOURCE_BUSY: The database ${file} is locked by another program.`,
  );
  ghost.kill('SIGKILL');
  await once(ghost, 'exit');
  expect(await faultOf(file)).toBe('opened');
});

type Broken = readonly [how: string, make: () => string, fault: RegExp];

const withText = (text: string): string => {
  const file = join(temporaryFolder(), 'ghost.db');
  writeFileSync(file, text);
  return file;
};

const BROKEN: readonly Broken[] = [
  [
    'a schema that is being migrated',
    () => makeGhost((db) => db.exec('UPDATE migrations_lock SET locked = 1; DROP TABLE members')),
    /^SOURCE_MIGRATING: Ghost is migrating the schema of .*ghost\.db, or stopped in the middle of that\.$/,
  ],
  [
    'version 4',
    () => makeGhost((db) => db.exec('DROP TABLE newsletters'), '4.48'),
    /^SOURCE_VERSION: .*ghost\.db is of Ghost 4\.48 and has no table "newsletters", which Prepress needs\.$/,
  ],
  [
    'a version to come, with another schema',
    () => makeGhost((db) => db.exec('ALTER TABLE posts RENAME COLUMN html TO body'), '7.0'),
    /^SOURCE_VERSION: .*ghost\.db is of Ghost 7\.0 and has no column "posts\.html", which Prepress needs\.$/,
  ],
  [
    'a table that is missing',
    () => makeGhost((db) => db.exec('DROP TABLE posts_meta')),
    /^SOURCE_NOT_GHOST: .*ghost\.db has no table "posts_meta", which Ghost 6\.65 has\.$/,
  ],
  [
    'a version before 1',
    () => {
      const file = join(temporaryFolder(), 'ghost.db');
      const tables = ['posts', 'posts_tags', 'settings'].map(
        (name) => `CREATE TABLE ${name} (id);`,
      );
      new (loadDriver())(file).exec(tables.join('')).close();
      return file;
    },
    /^SOURCE_VERSION: .*ghost\.db is of a Ghost before version 1: it has no table "migrations"\.$/,
  ],
  [
    'a publication of Prepress',
    () => {
      const file = join(temporaryFolder(), 'ghost.db');
      const tables = ['posts', 'posts_tags', 'settings', 'published_position'].map(
        (name) => `CREATE TABLE ${name} (id);`,
      );
      new (loadDriver())(file).exec(tables.join('')).close();
      return file;
    },
    /^SOURCE_NOT_GHOST: .*ghost\.db is a publication of Prepress\.$/,
  ],
  [
    'a database of another program',
    () => {
      const file = join(temporaryFolder(), 'ghost.db');
      new (loadDriver())(file).exec('CREATE TABLE posts (id)').close();
      return file;
    },
    /^SOURCE_NOT_GHOST: .*ghost\.db is not a database of Ghost 5 or later: it has no table "migrations"\.$/,
  ],
  [
    'a file that was cut',
    () => {
      const file = makeGhost();
      truncateSync(file, 20_000);
      return file;
    },
    /^IMPORT_UNREADABLE: The database .*ghost\.db is damaged \(SQLITE_(?:CORRUPT|NOTADB)\w*\)\.$/,
  ],
  [
    'bytes that are none of SQLite after its header',
    () => withText(`SQLite format 3\0${'nothing of SQLite '.repeat(1_000)}`),
    /^IMPORT_UNREADABLE: The database .*ghost\.db is damaged \(SQLITE_\w+\)\.$/,
  ],
  ['no file', () => join(temporaryFolder(), 'ghost.db'), /^IMPORT_UNREADABLE: .* \(ENOENT\)\.$/],
];

test.each(BROKEN)('%s is refused with one sentence', async (_how, make, fault) => {
  expect(await faultOf(make())).toMatch(fault);
});

test('a database of a version to come is read while it has all that is read', async () => {
  expect(await faultOf(makeGhost(() => {}, '7.0'))).toBe('opened');
});

/** Of the first Ghost 5, or such that their absence would show what must not be shown. */
const NEEDED = [
  ...['posts.html', 'posts.custom_excerpt', 'posts.feature_image', 'posts.featured'],
  ...['posts.canonical_url', 'posts.codeinjection_head', 'posts.custom_template'],
  ...['posts_meta.email_only', 'tags.feature_image', 'users.profile_image'],
  ...['members.name', 'members.email'],
];

test('a database without a column that each Ghost has is refused with one sentence', async () => {
  for (const column of [...NEEDED, 'posts.lexical', 'products.currency']) {
    const [table, name] = column.split('.');
    const file = makeGhost((db) => db.exec(`ALTER TABLE ${table} RENAME COLUMN ${name} TO other`));
    const lacks = `SOURCE_NOT_GHOST: ${file} has no column "${column}", which Ghost 6.65 has.`;
    expect(await faultOf(file), column).toBe(NEEDED.includes(column) ? lacks : 'opened');
  }
});

test('version 5 may lack the tables that came later', async () => {
  const file = makeGhost(
    (db) => db.exec('DROP TABLE suppressions; DROP TABLE gifts; DROP TABLE members_created_events'),
    '5.2',
  );
  const state = await openFor(file).open();
  expect(state.version).toBe('5.2');
  expect(state.isWhole('posts')).toBe(true);
  expect(state.isWhole('suppressions')).toBe(false);
});

test.each(['DELETE', 'WAL'])('a fingerprint differs after each commit (%s)', async (journal) => {
  const file = makeGhost((db) => db.pragma(`journal_mode = ${journal}`));
  const source = openFor(file);
  const ghost = new (loadDriver())(file);
  onTestFinished(() => void ghost.close());
  const fingerprints: (string | null)[] = [];
  for (let commit = 0; commit < 50; commit += 1) {
    fingerprints.push(await source.fingerprint());
    ghost.exec(`UPDATE posts SET featured = ${commit % 2}`);
  }
  const known = fingerprints.filter((fingerprint) => fingerprint !== null);
  expect(new Set(known).size).toBe(known.length);
  if (journal === 'DELETE') {
    expect(known.length).toBe(50);
    expect(await source.fingerprint()).toBe(await source.fingerprint());
  }
});

const rowHashesOf = async (file: string, table: string): Promise<Map<string, string>> => {
  const source = openFor(file);
  const state = await source.open();
  const hashes = new Map<string, string>();
  for await (const { rowHashes } of state.rowHashes([{ table }])) {
    for (const { id, hash } of rowHashes) hashes.set(id, hash);
  }
  await state.close();
  return hashes;
};

const change = (file: string, sql: string): void => {
  const ghost = new (loadDriver())(file);
  ghost.exec(sql);
  ghost.close();
};

test('rowHashes come in the order of their ids, and the hash tells which rows differ', async () => {
  const file = makeGhost();
  const before = await rowHashesOf(file, 'posts');
  const ids = [...before.keys()];
  expect(ids).toEqual([...ids].sort());
  expect(await rowHashesOf(file, 'posts')).toEqual(before);
  change(
    file,
    `UPDATE posts SET html = 'new', updated_at = '2026-02-02 02:02:02' WHERE id = '${ids[1]}'`,
  );
  const after = await rowHashesOf(file, 'posts');
  expect(ids.filter((id) => after.get(id) !== before.get(id))).toEqual([ids[1]]);
});

test('a post that was changed a moment ago has another hash each time', async () => {
  const file = makeGhost();
  const ids = [...(await rowHashesOf(file, 'posts')).keys()];
  change(file, `UPDATE posts SET updated_at = datetime('now') WHERE id = '${ids[2]}'`);
  const before = await rowHashesOf(file, 'posts');
  const after = await rowHashesOf(file, 'posts');
  expect(ids.filter((id) => after.get(id) !== before.get(id))).toEqual([ids[2]]);
});

test('a link or a setting that changes without a time has another hash', async () => {
  const file = makeGhost();
  for (const [table, sql] of [
    ['posts_tags', 'UPDATE posts_tags SET sort_order = sort_order + 7'],
    ['settings', "UPDATE settings SET value = coalesce(value, '') || '!'"],
  ] as const) {
    const before = await rowHashesOf(file, table);
    change(file, sql);
    const after = await rowHashesOf(file, table);
    expect([...after.keys()]).toEqual([...before.keys()]);
    expect([...after].filter(([id, hash]) => before.get(id) === hash)).toEqual([]);
  }
});

test('rows of some ids are read alone', async () => {
  const file = makeGhost();
  const ids = [...(await rowHashesOf(file, 'posts')).keys()];
  const state = await openFor(file).open();
  const found: unknown[] = [];
  for await (const { rows } of state.rows([{ table: 'posts', ids: [ids[3] ?? '', 'absent'] }])) {
    found.push(...rows.map((row) => (row as { id: unknown }).id));
  }
  expect(found).toEqual([ids[3]]);
});
