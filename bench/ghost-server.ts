// A Ghost of the bench's own, started by a command that the option --ghost names: it makes its database in SQLite, gets the
// posts of a publication, and answers requests for them.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadDriver, type SqliteConnection } from '../src/base/sqlite/driver.ts';
import { fieldOf, GHOST_TABLES } from '../src/publication/import/intake/ghost-tables.ts';
import { end } from './live-server.ts';
import { findFreePort } from './processes.ts';

export const HOW_TO_START_GHOST = `Ghost is not among the peers: --ghost "NODE FOLDER/index.js" names a Node.js and an installed Ghost that fit each other.
To install both in an empty folder: npm install node@24 pnpm@12.4.2; npm pack ghost@6.65.0; tar -xzf ghost-6.65.0.tgz; then in
package/, with ../node_modules/node/bin and ../node_modules/.bin first in PATH: pnpm install --prod --config.dangerously-allow-all-builds=true
Where its better-sqlite3 cannot be compiled, the folder of that name in node_modules of this clone takes its place.`;

export type GhostServer = {
  readonly child: ChildProcess;
  /** Its origin. */
  readonly url: string;
  readonly contentKey: string;
};

/** `command`: a Node.js and Ghost's index.js. `publication`: the database whose posts it gets. */
export const startGhost = async (
  command: string,
  folder: string,
  publication: string,
): Promise<GhostServer> => {
  mkdirSync(join(folder, 'content/data'), { recursive: true });
  const first = await start(command, folder);
  await end(first.child);
  const contentKey = fill(databaseIn(folder), publication);
  return { ...(await start(command, folder)), contentKey };
};

const databaseIn = (folder: string): string => join(folder, 'content/data/ghost.db');

const WAIT_MS = 300_000;

const start = async (command: string, folder: string): Promise<Omit<GhostServer, 'contentKey'>> => {
  const [node = '', program = ''] = command.split(' ');
  const url = `http://127.0.0.1:${await findFreePort()}`;
  const child = spawn(node, [program], {
    cwd: dirname(program),
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_ENV: 'production',
      url,
      server__host: '127.0.0.1',
      server__port: new URL(url).port,
      database__client: 'sqlite3',
      database__connection__filename: databaseIn(folder),
      database__useNullAsDefault: 'true',
      paths__contentPath: join(folder, 'content'),
      logging__level: 'error',
      privacy__useUpdateCheck: 'false',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const started = performance.now();
  while (!(await isReady(url))) {
    if (child.exitCode !== null || performance.now() - started > WAIT_MS) {
      throw new Error(`Ghost did not start: ${command}`);
    }
    await sleep(200);
  }
  return { child, url };
};

/** Without a key it answers 403; before it is ready, 503. */
const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/ghost/api/content/posts/`).then(
    ({ status }) => status === 403,
    () => false,
  );

const FILLED = ['users', 'tags', 'posts', 'posts_meta', 'posts_tags', 'posts_authors'];

/** Returns a key of the content interface. */
const fill = (path: string, publication: string): string => {
  const database = new (loadDriver())(path);
  try {
    database.pragma('foreign_keys = OFF');
    database.exec(`ATTACH '${publication.replaceAll("'", "''")}' AS ours`);
    database.transaction(() => {
      for (const facts of GHOST_TABLES.filter(({ from }) => FILLED.includes(from))) {
        copy(database, facts);
      }
    })();
    const key = "SELECT secret FROM api_keys WHERE type = 'content' LIMIT 1";
    return database.prepare(key).pluck().get() as string;
  } finally {
    database.close();
  }
};

type Column = {
  readonly name: string;
  readonly notnull: number;
  readonly dflt_value: string | null;
};

const copy = (database: SqliteConnection, facts: (typeof GHOST_TABLES)[number]): void => {
  const { from, into } = facts;
  const columnsOf = (table: string) => database.pragma(`${table}("${from}")`) as Column[];
  const theirs = columnsOf('main.table_info');
  const ours = (database.pragma(`ours.table_info("${into}")`) as Column[]).map(({ name }) => name);
  const own = new Map(ours.map((name) => [fieldOf(facts, name), name]));
  const copied = theirs.flatMap(({ name, notnull, dflt_value }) => {
    const column = own.get(name);
    // What it must have, and nobody here has.
    if (column === undefined) return notnull && dflt_value === null ? [[name, "''"]] : [];
    return [[name, notnull ? `coalesce("${column}", ${dflt_value ?? "''"})` : `"${column}"`]];
  });
  // Users of its own stay: one of them is its owner.
  if (from !== 'users') database.exec(`DELETE FROM main."${from}"`);
  database.exec(
    `INSERT INTO main."${from}" (${copied.map(([name]) => `"${name}"`).join(', ')})
     SELECT ${copied.map(([, value]) => value).join(', ')} FROM ours."${into}"`,
  );
};
