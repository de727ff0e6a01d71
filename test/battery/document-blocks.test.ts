// Every block of commands or code in README and docs/ is run: here, one page after another as a reader would, or by the
// test that a table names. Addresses, folders of the system and placeholders are the test's own.
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CAPTURED_DATABASE, CAPTURED_EXPORT } from '../helpers/captured-site.ts';
import { CONTENT_KEY, capturedContentSite, startContentSite } from '../helpers/content-site.ts';
import { openDocumentShell } from '../helpers/document-shell.ts';
import { listPages } from '../helpers/list-pages.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { freePort } from '../matrix/program.ts';
import { inLanes } from './size.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Blocks that another test runs: what they contain, and the test. */
const ELSEWHERE: readonly (readonly [language: string, part: string, test: string])[] = [
  ['js', "from 'prepress-content/eleventy'", 'test/end-to-end/package.test.ts'],
  ['js', 'const isGenuine', 'test/matrix/webhook-receivers.test.ts'],
  ['python', 'def is_genuine', 'test/matrix/webhook-receivers.test.ts'],
  ['php', '$genuine', 'test/matrix/webhook-receivers.test.ts'],
  ['nginx', 'root /srv/prepress/output', 'test/matrix/nginx-page.test.ts'],
  ['nginx', 'limit_req zone=asks', 'test/matrix/passed-queries.test.ts'],
  ['caddyfile', 'reverse_proxy 127.0.0.1:4000', 'test/matrix/shield.test.ts'],
  ['caddyfile', 'import prepress_', 'test/matrix/caddy.test.ts'],
  ['vcl', 'import xkey', 'test/matrix/varnish.test.ts'],
  ['ini', '[Service]', 'test/tidy/documents.test.ts'],
  ['cron', 'backup /backups --dated', 'test/tidy/documents.test.ts'],
  ['sh', 'compose.scaling.yaml', 'test/matrix/compose-scaling.test.ts'],
  ['sh', 'PREPRESS_DATABASE=', 'test/matrix/postgres-servers.test.ts'],
  ['sh', 'prepress database move', 'test/matrix/postgres-reader.test.ts'],
  ['yaml', 'scrape_configs', 'test/unit/serve/server/metrics.test.ts'],
  ['ts', "from 'prepress-content/client'", 'test/unit/content/client/types.test.ts'],
  ['js', 'content.sync(tokenOfLastTime)', 'test/unit/content/client/sync.test.ts'],
  ['js', "from 'prepress-content/astro'", 'test/unit/pages/astro/loader.test.ts'],
  ['js', "{ from: 'https://files", 'test/unit/pages/eleventy/published.test.ts'],
  ['json', '', 'test/tidy/documents.test.ts'],
  ['sh', 'npx pagefind', 'test/end-to-end/pagefind.test.ts'],
  ['html', 'PagefindUI', 'test/end-to-end/pagefind.test.ts'],
  ['html', '', 'test/battery/cards.test.ts'],
  ['css', '', 'test/battery/cards.test.ts'],
];

/** Blocks that show what is printed, or the names of files. */
const SHOWN = ['text', ''];

type Block = { readonly language: string; readonly text: string; readonly before: string };

const blocksOf = (path: string): Block[] => {
  const text = read(path);
  return [...text.matchAll(/^( *)```(\w*)\n([\s\S]*?)^ *```$/gm)].map((found) => {
    const [, indent = '', language = '', block = ''] = found;
    const before = text.slice(0, found.index).trimEnd().split('\n').at(-1) ?? '';
    return { language, text: block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''), before };
  });
};

const testElsewhere = ({ language, text }: Block): string | undefined =>
  ELSEWHERE.find(([name, part]) => name === language && text.includes(part))?.[2];

const isRunHere = (block: Block): boolean =>
  /^(?:sh|js)$/.test(block.language) && testElsewhere(block) === undefined;

const PAGES = ['README.md', ...listPages()].filter((path) => blocksOf(path).some(isRunHere));

const LONGEST = ['docs/commands.md', 'README.md', 'docs/getting-started.md'];
const LONGEST_FIRST = [...LONGEST, ...PAGES.filter((path) => !LONGEST.includes(path))];

/** A picture of one pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const LINKS = `echo '{"previewLinks":"on"}' > prepress.config.json`;

/** What a reader does before a block, beyond what the page says in code. */
const FIRST: Readonly<Record<string, readonly (readonly [begins: string, lines: string])[]>> = {
  'README.md': [
    ['npx prepress follow', 'stop; begin following'],
    ['import GhostContentAPI', 'begin client; npm start; know_keys'],
  ],
  'docs/commands.md': [
    ['npx prepress import', 'stop; npx prepress follow --detach'],
    ['npx prepress publish', 'rm -rf data output media; npx prepress init'],
    ['npx prepress webhooks create', 'export GITHUB_TOKEN=github_pat_1'],
    ['npx prepress preview', LINKS],
    ['npx prepress deploy', `echo '{"deploy":"dir:www"}' > prepress.config.json`],
  ],
  'docs/getting-started.md': [
    ['npx prepress import mysql', 'stop'],
    ['import GhostContentAPI', 'know_keys'],
  ],
  'docs/hosts.md': [['TAGS=', 'npx prepress init; npx prepress build']],
  'docs/operations.md': [
    [
      'mkdir -p -m 700 data/old',
      'npx prepress init; mkdir -p ../backups; npx prepress backup ../backups --replace; touch data/publication.db-wal',
    ],
    ['for image in', 'touch Dockerfile compose.yaml'],
  ],
  'docs/admin-interface.md': [
    ['import GhostAdminAPI', 'npm start; know_keys; KEY=$(cat data/admin-key)'],
    ['token() {', `node -e 'fs.writeFileSync("picture.png", Buffer.from("${PNG}", "base64"))'`],
  ],
  'docs/leaving-ghost.md': [
    ['npx prepress import my-site.json', 'rm -rf data; npx prepress init --empty'],
  ],
  'docs/markdown.md': [
    ['npx prepress export markdown', 'npx prepress init'],
    ['cd ../archive', 'know_author'],
  ],
  'docs/previews.md': [['npx prepress preview', `npx prepress init; ${LINKS}`]],
  'docs/queries.md': [['import GhostContentAPI', 'begin client; npm start; know_keys']],
  'docs/webhooks.md': [['npx prepress webhooks create', 'npx prepress init']],
};

const makeRoot = (root: string): void => {
  for (const [path, from] of [
    ['var/www/ghost/content/data/ghost.db', CAPTURED_DATABASE],
    ['var/www/ghost/content/images/a.png', null],
    ['clone/my-site.json', CAPTURED_EXPORT],
    ['clone/package.json', join(ROOT, 'package.json')],
  ] as const) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    if (from === null) writeFileSync(join(root, path), 'a');
    else copyFileSync(from, join(root, path));
  }
  writeFileSync(join(root, 'clone/members.csv'), 'email\nann@example.com\n');
  writeFileSync(join(root, 'clone/readers.csv'), 'email,Score,Gets mail\nbob@example.com,7,yes\n');
  writeFileSync(join(root, 'clone/redirects.yaml'), '301:\n  /old/: /new/\n');
  writeFileSync(join(root, 'client.json'), '{"scripts":{"start":"prepress serve --sample"}}');
  const [rules] = blocksOf('docs/hosts/nginx.md').filter(({ language }) => language === 'nginx');
  writeFileSync(join(root, 'etc/nginx/conf.d/prepress.conf'), rules?.text ?? '');
};

/** Functions of the reader: a folder with the package, the keys of the server, and questions that a site's build asks. */
const FUNCTIONS = `
begin() { mkdir -p "$1"; cd "$1"; cp "$DOCS_ROOT/client.json" package.json; npm install; }
know_keys() {
  npx prepress status --secrets --json > keys.json || { cat keys.json >&2; return 1; }
  CONTENT_KEY=$(node -p 'JSON.parse(fs.readFileSync("keys.json")).content_key'); export CONTENT_KEY; KEY=$CONTENT_KEY
}
know_author() {
  export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.com GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.com
}
id_in() { node -p "JSON.parse(fs.readFileSync(0)).id"; }
cd clone; npm install
`;

type Places = {
  readonly root: string;
  readonly self: string;
  readonly site: string;
  readonly hook: string;
};

/** The page's own words with the test's folders, addresses and ids. */
const asHere = (text: string, { root, self, site, hook }: Places): string =>
  text
    .replaceAll('mysql://ghost:password@127.0.0.1/ghost', '/var/www/ghost/content/data/ghost.db')
    .replaceAll(/(?<![\w.:/])\/(srv|etc|backups|var\/www)(?=\/|\s|$)/g, `${root}/$1`)
    .replaceAll('127.0.0.1:4000', self)
    .replaceAll(/https:\/\/[\w.]*example\.com\/hook/g, hook)
    .replaceAll('https://api.github.com', new URL(hook).origin)
    .replaceAll(/(?<=(?:import|follow|--images) )https:\/\/example\.com/g, site)
    .replaceAll('SOURCE_KEY=KEY', `SOURCE_KEY=${CONTENT_KEY}`)
    .replaceAll('--port 8080', '--port 0')
    .replaceAll('https://files.example.com', `http://${self}`)
    .replaceAll("'welcome'", "'the-foghorn-tuner'")
    .replaceAll('ETAG', 'etag')
    .replaceAll(
      /(npx prepress keys revoke) \w+/g,
      '$1 $(npx prepress keys create --type content --name x --json | id_in)',
    )
    .replaceAll(
      /(npx prepress webhooks (test|rotate|delete)) \w+/g,
      `$1 $(npx prepress webhooks create --event site.changed --url ${hook}/$2 --json | id_in)`,
    )
    // What a page names as another way begins anew.
    .replaceAll(
      /^npx prepress init( --.*)?$/gm,
      'stop; rm -rf data output media; npx prepress init$1',
    );

const linesOf = (path: string, block: Block, index: number, places: Places): string => {
  const first = FIRST[path]?.filter(([begins]) => block.text.startsWith(begins)) ?? [];
  const before = [`echo "== block ${index + 1}"`, ...first.map(([, lines]) => lines)];
  const text = asHere(block.text, places);
  if (block.language === 'sh') return [...before, text].join('\n');
  const file = join(places.root, `docs/block-${index}.mjs`);
  writeFileSync(file, `const { KEY } = process.env;\n${text}`);
  return [...before, `cp ${file} block.mjs`, 'KEY=$KEY node block.mjs'].join('\n');
};

/** Settings that a page tells its reader to save. */
const savedSettings = (block: Block): string | null =>
  /[Ss]ave .*prepress\.config\.json/.test(block.before)
    ? `cat > prepress.config.json << 'SETTINGS'\n${block.text}SETTINGS`
    : null;

const runPage = async (path: string, change: (text: string) => string = (text) => text) => {
  const port = await freePort();
  const self = `127.0.0.1:${port}`;
  const shell = openDocumentShell(self);
  const { root } = shell;
  makeRoot(root);
  const site = await startContentSite(capturedContentSite());
  onTestFinished(site.close);
  site.intercept = ({ url }, response) => {
    if (!url.pathname.startsWith('/content/images/')) return false;
    response.end('picture');
    return true;
  };
  const { url } = await startReceiver();
  const places = { root, self, site: site.url, hook: url };
  const blocks = blocksOf(path);
  const lines = blocks.map((block, index) => {
    if (isRunHere(block))
      return linesOf(path, { ...block, text: change(block.text) }, index, places);
    return savedSettings(block) ?? '';
  });
  onTestFinished(async () => {
    await shell.run('stop', {});
  });
  const environment = {
    DOCS_ROOT: root,
    PREPRESS_PORT: String(port),
    PREPRESS_WEBHOOK_ALLOW: '127.0.0.0/8',
    PREPRESS_CONTENT_KEY: 'optional',
  };
  return { said: await shell.run(`${FUNCTIONS}${lines.join('\n')}`, environment), ...shell };
};

/** Servers are waited for more than anything computes, so that pages side by side take little longer than the longest. */
const LANES = 5;

test('every page does what it says', async () => {
  const faults: string[] = [];
  await inLanes(LONGEST_FIRST, LANES, async (path) => {
    try {
      const { said } = await runPage(path);
      expect(said).toContain('== block');
    } catch (error) {
      faults.push(`${path}: ${(error as Error).message}`);
    }
  });
  expect(faults).toEqual([]);
});

test('a command that fails is noticed', async () => {
  const broken = (text: string): string => text.replace('webhooks create', 'webhooks creat');
  await expect(runPage('docs/webhooks.md', broken)).rejects.toThrow('ended with 2');
});

test('every block is run, or shows what is printed', () => {
  const all = ['README.md', ...listPages()].flatMap((path) =>
    blocksOf(path).map((block) => ({ path, ...block })),
  );
  expect(all.length).toBeGreaterThan(100);
  const left = all.filter(
    (block) =>
      !isRunHere(block) && !SHOWN.includes(block.language) && testElsewhere(block) === undefined,
  );
  expect(left).toEqual([]);
  for (const [, , file] of ELSEWHERE) expect(existsSync(join(ROOT, file)), file).toBe(true);
});
