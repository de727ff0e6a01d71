import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { importsOf, readSources } from './source-files.ts';

/** Rooms of src/ and their floors: a room imports only from lower floors and from itself. */
const FLOORS: Readonly<Record<string, number>> = {
  base: 0,
  contract: 1,
  paths: 1,
  queries: 1,
  net: 1,
  sqlite: 1,
  client: 2,
  config: 2,
  store: 2,
  mail: 2,
  documents: 3,
  packed: 2,
  emit: 4,
  sources: 4,
  builder: 5,
  importers: 5,
  delivery: 5,
  admin: 5,
  follow: 6,
  formats: 6,
  publisher: 6,
  hosts: 6,
  deploy: 6,
  server: 7,
  'after-build': 7,
  desk: 7,
  eleventy: 8,
  cli: 9,
};

/** Each third-party package has one home. */
const HOMES: Readonly<Record<string, string>> = {
  'better-sqlite3': 'sqlite',
  kysely: 'store',
  '@tryghost/string': 'documents',
  'csv-parse': 'importers',
  'stream-json': 'sources',
  mysql2: 'sources',
  entities: 'documents',
  htmlparser2: 'documents',
  'ipaddr.js': 'net',
  negotiator: 'server',
  'p-queue': 'delivery',
  undici: 'net',
  nodemailer: 'mail',
  '@11ty/eleventy': 'eleventy',
  fastify: 'server',
  '@fastify/multipart': 'server',
  'file-type': 'admin',
  'image-size': 'admin',
  sax: 'admin',
  '@fastify/helmet': 'server',
  '@fastify/send': 'server',
  pino: 'server',
  'prom-client': 'server',
  'swagger-ui-dist': 'server',
  preact: 'desk',
  lexical: 'desk',
  '@lexical/history': 'desk',
  '@lexical/link': 'desk',
  '@lexical/list': 'desk',
  '@lexical/rich-text': 'desk',
  '@lexical/selection': 'desk',
  commander: 'cli',
  chokidar: 'cli',
  'cli-progress': 'cli',
  esbuild: 'hosts',
  '@aws-sdk/client-cloudfront': 'deploy',
  '@aws-sdk/client-s3': 'deploy',
};

/**
 * zod reads what comes in, at each border; jose reads tokens in the server, and makes them in the page; caches of the
 * store, of builds and of the server are bounded by lru-cache.
 */
const SHARED = new Set(['zod', 'jose', 'lru-cache']);

const sources = readSources('src').filter(({ path }) => /\.tsx?$/.test(path));
const roomOf = (path: string): string => path.split('/')[1] ?? '';

test('every room has a floor', () => {
  const rooms = sources.map(({ path }) => path).filter((path) => path.split('/').length > 2);
  expect([...new Set(rooms.map(roomOf))].filter((room) => FLOORS[room] === undefined)).toEqual([]);
});

test('a room imports only from lower floors', () => {
  const wrong = sources.flatMap((file) =>
    importsOf(file)
      .filter((name) => name.startsWith('.'))
      .map((name) => posix.join(posix.dirname(file.path), name))
      .filter((target) => target.startsWith('src/'))
      .filter((target) => {
        const [from, to] = [roomOf(file.path), roomOf(target)];
        return from !== to && (FLOORS[to] ?? 99) >= (FLOORS[from] ?? -1);
      })
      .map((target) => `${file.path} imports ${target}`),
  );
  expect(wrong).toEqual([]);
});

/** Paths in src/ that each file imports. */
const inner = sources.flatMap((file) =>
  importsOf(file)
    .filter((name) => name.startsWith('.'))
    .map((name) => ({ path: file.path, target: posix.join(posix.dirname(file.path), name) })),
);

test('rooms open the store by its ports, and no adapter of it', () => {
  const wrong = inner.filter(
    ({ path, target }) => /^src\/store\/\w+\//.test(target) && !path.startsWith('src/store/'),
  );
  expect(wrong.filter(({ target }) => !target.startsWith('src/store/tables/'))).toEqual([]);
});

test('only what reads SQLite files knows SQLite', () => {
  const readers =
    /^src\/(?:sqlite|store\/sqlite|sources\/ghost-sqlite)\/|^src\/sources\/open-source\.ts/;
  const wrong = inner.filter(
    ({ path, target }) => target.startsWith('src/sqlite/') && !readers.test(path),
  );
  expect(wrong).toEqual([]);
  expect(inner.some(({ target }) => target.startsWith('src/sqlite/'))).toBe(true);
});

test('each package is imported in its one home', () => {
  const wrong = sources.flatMap((file) =>
    importsOf(file)
      .filter((name) => !name.startsWith('.') && !name.startsWith('node:'))
      .map((name) =>
        name
          .split('/')
          .slice(0, name.startsWith('@') ? 2 : 1)
          .join('/'),
      )
      .filter((name) => !SHARED.has(name) && HOMES[name] !== roomOf(file.path))
      .map((name) => `${file.path} imports ${name}`),
  );
  expect(wrong).toEqual([]);
});

test('the rules would notice a breach', () => {
  const breach = { path: 'src/store/x.ts', text: "import { a } from '../cli/main.ts';" };
  expect(importsOf(breach)).toEqual(['../cli/main.ts']);
  expect(importsOf({ path: '', text: "const a = await import('fastify');" })).toEqual(['fastify']);
  expect(importsOf({ path: '', text: "import {\n  a,\n} from 'kysely';" })).toEqual(['kysely']);
});
