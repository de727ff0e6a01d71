import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { importsOf, readSources, type SourceFile } from './source-files.ts';

/** The floors of the house, from the ground up, and in each its rooms: a room imports only from what stands above it here. */
const HOUSE: Readonly<Record<string, readonly (readonly string[])[]>> = {
  base: [['.'], ['text', 'threads'], ['files'], ['sqlite', 'net', 'mail']],
  content: [['tree', 'contract'], ['paths'], ['queries'], ['client', 'edge']],
  settings: [['.']],
  publication: [
    ['tables'],
    ['snapshot', 'media'],
    ['store'],
    ['documents'],
    ['sources'],
    ['import'],
    ['follow'],
  ],
  publish: [
    ['manifest'],
    ['output', 'packed'],
    ['build'],
    ['webhooks', 'hosts', 'deploy', 'sizes'],
    ['cycle'],
    ['after-build'],
  ],
  pages: [['site', 'astro'], ['eleventy']],
  serve: [['contract'], ['editor'], ['admin', 'desk'], ['server'], ['workspace'], ['program']],
  cli: [['commands'], ['specs'], ['.']],
};

/** Each third-party package has one home. */
const HOMES: Readonly<Record<string, string>> = {
  'better-sqlite3': 'base/sqlite',
  kysely: 'publication/store',
  pg: 'publication/store',
  '@tryghost/string': 'publication/tables',
  'csv-parse': 'publication/import',
  'stream-json': 'publication/sources',
  mysql2: 'publication/sources',
  entities: 'publication/documents',
  htmlparser2: 'publication/documents',
  'ipaddr.js': 'base/net',
  negotiator: 'serve/server',
  'p-queue': 'publish/webhooks',
  undici: 'base/net',
  nodemailer: 'base/mail',
  '@11ty/eleventy': 'pages/eleventy',
  turndown: 'pages/site',
  yaml: 'pages/site',
  fastify: 'serve/server',
  '@fastify/multipart': 'serve/server',
  'file-type': 'serve/admin',
  'image-size': 'publication/media',
  sax: 'serve/admin',
  '@fastify/helmet': 'serve/server',
  '@fastify/send': 'serve/server',
  pino: 'serve/server',
  'prom-client': 'serve/server',
  'swagger-ui-dist': 'serve/server',
  preact: 'serve/desk',
  '@tryghost/koenig-lexical': 'serve/desk',
  react: 'serve/desk',
  'react-dom': 'serve/desk',
  commander: 'cli',
  chokidar: 'serve/program',
  'cli-progress': 'serve/workspace',
  esbuild: 'publish/hosts',
  sharp: 'publish/sizes',
  '@aws-sdk/client-cloudfront': 'publish/deploy',
  '@aws-sdk/client-s3': 'publish/deploy',
};

/** Tables are typed for Kysely, and import nothing else of it. */
const isTyped = ({ path, text }: SourceFile, name: string): boolean =>
  name === 'kysely' &&
  path.startsWith('src/publication/tables/') &&
  !/^import (?!type ).* from 'kysely'/m.test(text);

/** zod reads what comes in, at each border; jose reads tokens, and makes them in the page; lru-cache bounds caches. */
const SHARED = new Set(['zod', 'jose', 'lru-cache']);

const sources = readSources('src').filter(
  ({ path }) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'),
);

type Place = { readonly room: string; readonly floor: number };

const FLOORS = new Map<string, number>(
  Object.entries(HOUSE).flatMap(([top, floors], high) =>
    floors.flatMap((rooms, at) =>
      rooms.map((room) => [`${top}/${room}`, high * 100 + at] as const),
    ),
  ),
);

const placeOf = (path: string): Place => {
  const [, top = '', next = '', more] = path.split('/');
  const room = more !== undefined && FLOORS.has(`${top}/${next}`) ? `${top}/${next}` : `${top}/.`;
  return { room, floor: FLOORS.get(room) ?? Number.NaN };
};

const inner = sources.flatMap((file) =>
  importsOf(file)
    .filter((name) => name.startsWith('.'))
    .map((name) => ({ path: file.path, target: posix.join(posix.dirname(file.path), name) }))
    .filter(({ target }) => target.startsWith('src/')),
);

test('every file is in a room that has a floor', () => {
  expect(
    sources.map(({ path }) => path).filter((path) => Number.isNaN(placeOf(path).floor)),
  ).toEqual([]);
});

test('a room imports only from lower floors', () => {
  const wrong = inner.filter(({ path, target }) => {
    const [from, to] = [placeOf(path), placeOf(target)];
    return from.room !== to.room && !(to.floor < from.floor);
  });
  expect(wrong.map(({ path, target }) => `${path} imports ${target}`)).toEqual([]);
});

/** A way of imports, of types too, that leads back to its first file; null when no import does. */
const findCircle = (imports: typeof inner): readonly string[] | null => {
  const targets = new Map<string, string[]>();
  for (const { path, target } of imports) targets.set(path, [...(targets.get(path) ?? []), target]);
  const done = new Set<string>();
  const follow = (path: string, way: readonly string[]): readonly string[] | null => {
    if (way.includes(path)) return [...way.slice(way.indexOf(path)), path];
    if (done.has(path)) return null;
    for (const target of targets.get(path) ?? []) {
      const circle = follow(target, [...way, path]);
      if (circle !== null) return circle;
    }
    done.add(path);
    return null;
  };
  for (const path of targets.keys()) {
    const circle = follow(path, []);
    if (circle !== null) return circle;
  }
  return null;
};

test('no imports of files go in a circle', () => {
  expect(findCircle(inner)).toBeNull();
  const [a, b, c] = ['src/a.ts', 'src/b.ts', 'src/c.ts'];
  const imports = [
    { path: a, target: b },
    { path: b, target: c },
    { path: c, target: b },
  ];
  expect(findCircle(imports)).toEqual([b, c, b]);
});

test('what readers run knows nothing of Node.js: content stands on a few files of base', () => {
  const used = inner.filter(
    ({ path, target }) => path.startsWith('src/content/') && !target.startsWith('src/content/'),
  );
  expect([...new Set(used.map(({ target }) => target))].sort()).toEqual([
    'src/base/limit-concurrency.ts',
    'src/base/limits.ts',
  ]);
});

/** A store opens the snapshots of its own database. */
const SNAPSHOTS = /^src\/publication\/store\/sqlite\//;

test('adapters of SQLite are opened by the ports beside them alone', () => {
  const adapter = /^(src\/.*)\/sqlite\//;
  const wrong = inner.filter(({ path, target }) => {
    const home = adapter.exec(target)?.[1] ?? 'src/base';
    return home !== 'src/base' && !path.startsWith(`${home}/`) && !SNAPSHOTS.test(path);
  });
  expect(wrong).toEqual([]);
});

/** Who opens SQLite files: the publication, and rooms that keep or read a file of their own. */
const DATABASES = [
  'base/sqlite/',
  'publication/store/',
  'publication/snapshot/',
  'publication/media/',
  'publication/sources/ghost-sqlite/',
  'publish/manifest/',
  'publish/sizes/',
];

/** Files that run SQL, and the folders that may import them. */
const CLOSED: Readonly<Record<string, readonly string[]>> = {
  'src/publication/store/db.ts': ['publication/store/'],
  'src/base/sqlite/driver.ts': DATABASES,
  'src/base/sqlite/connection.ts': DATABASES,
};

test('the store is closed: no other room runs SQL on the publication', () => {
  const wrong = inner.filter(
    ({ path, target }) => !(CLOSED[target] ?? ['']).some((home) => path.startsWith(`src/${home}`)),
  );
  expect(wrong).toEqual([]);
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
      .filter((name) => !SHARED.has(name) && !file.path.startsWith(`src/${HOMES[name]}/`))
      .filter((name) => !isTyped(file, name))
      .map((name) => `${file.path} imports ${name}`),
  );
  expect(wrong).toEqual([]);
});

test('the rules would notice a breach', () => {
  const breach = {
    path: 'src/publication/store/x.ts',
    text: "import { a } from '../../cli/main.ts';",
  };
  expect(importsOf(breach)).toEqual(['../../cli/main.ts']);
  expect(importsOf({ path: '', text: "const a = await import('fastify');" })).toEqual(['fastify']);
  expect(importsOf({ path: '', text: "import {\n  a,\n} from 'kysely';" })).toEqual(['kysely']);
});
