import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { importsOf, readSources } from './source-files.ts';

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
  pages: [['site'], ['eleventy']],
  serve: [['contract'], ['editor'], ['admin', 'desk'], ['server'], ['workspace'], ['program']],
  cli: [['commands'], ['specs'], ['.']],
};

/** Each third-party package has one home. */
const HOMES: Readonly<Record<string, string>> = {
  'better-sqlite3': 'base/sqlite',
  kysely: 'publication',
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
  fastify: 'serve/server',
  '@fastify/multipart': 'serve/server',
  'file-type': 'serve/admin',
  'image-size': 'serve/editor',
  sax: 'serve/admin',
  '@fastify/helmet': 'serve/server',
  '@fastify/send': 'serve/server',
  pino: 'serve/server',
  'prom-client': 'serve/server',
  'swagger-ui-dist': 'serve/server',
  preact: 'serve/desk',
  lexical: 'serve/desk',
  '@lexical/history': 'serve/desk',
  '@lexical/link': 'serve/desk',
  '@lexical/list': 'serve/desk',
  '@lexical/rich-text': 'serve/desk',
  '@lexical/selection': 'serve/desk',
  commander: 'cli',
  chokidar: 'serve/program',
  'cli-progress': 'serve/workspace',
  esbuild: 'publish/hosts',
  sharp: 'publish/sizes',
  '@aws-sdk/client-cloudfront': 'publish/deploy',
  '@aws-sdk/client-s3': 'publish/deploy',
};

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

test('what readers run knows nothing of Node.js: content stands on a few files of base', () => {
  const used = inner.filter(
    ({ path, target }) => path.startsWith('src/content/') && !target.startsWith('src/content/'),
  );
  expect([...new Set(used.map(({ target }) => target))].sort()).toEqual([
    'src/base/lanes.ts',
    'src/base/limits.ts',
  ]);
});

test('adapters of SQLite are opened by the ports beside them alone', () => {
  const adapter = /^(src\/.*)\/sqlite\//;
  const wrong = inner.filter(({ path, target }) => {
    const home = adapter.exec(target)?.[1];
    return (
      home !== undefined && home !== 'src/base' && !path.startsWith(`src/${home.split('/')[1]}/`)
    );
  });
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
