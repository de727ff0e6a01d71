// The setting `hosts`, as a user meets it: files with every build, kept true after each edit.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { loadDriver } from '../../src/base/sqlite/driver.ts';
import { prepress, runPrepress } from '../helpers/run-prepress.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { readTree } from '../helpers/tree.ts';
import { missing } from '../matrix/program.ts';

const SLUG = 'the-foghorn-tuner';

let folder: string;

const configure = (settings: object): void =>
  writeFileSync(join(folder, 'prepress.config.json'), JSON.stringify(settings));
const openDatabase = () => new (loadDriver())(join(folder, 'data/publication.db'));
const read = (path: string): string => readFileSync(join(folder, path), 'utf8');

beforeAll(async () => {
  const suite = suiteFolder();
  folder = suite.path;
  await prepress(folder, ['init']);
  return () => suite.remove();
});

test('each build writes the files of the hosts that the settings name', async () => {
  configure({
    hosts: ['nginx', 'cloudflare', 'github-pages'],
    profile: 'by-id',
    hostKeys: true,
    variants: ['index', 'authors-tags'],
  });
  const created = JSON.parse(
    await prepress(folder, ['keys', 'create', '--type', 'content', '--name', 'site', '--json']),
  );
  const key = Object.values(created).find((value) => /^[0-9a-f]{26}$/.test(String(value)));
  const { hosts } = JSON.parse(await prepress(folder, ['build', '--json']));
  const report = hosts as {
    host: string;
    profile: string;
    files: string[];
    limitations: string[];
  }[];
  expect(report.map(({ host, profile }) => [host, profile])).toEqual([
    ['nginx', 'literal'],
    ['cloudflare', 'by-id'],
    ['github-pages', 'plain-files'],
  ]);
  const noted = report.filter(({ limitations }) =>
    limitations.some((lack) => /no profile by-id/.test(lack)),
  );
  expect(noted.map(({ host }) => host)).toEqual(['nginx', 'github-pages']);
  for (const file of report.flatMap(({ files }) => files)) expect(existsSync(file)).toBe(true);
  const worker = read('data/hosts/cloudflare/worker.js');
  expect(worker).toContain(createHash('sha256').update(String(key)).digest('base64url'));
  expect(worker).not.toContain(String(key));
  expect(read('output/.assetsignore')).toContain('/content/posts/slug/');
  const recordIn = (file: string): unknown =>
    JSON.parse(read(`output/content/posts/slug/${SLUG}/${file}`));
  expect(recordIn('index.html')).toEqual(recordIn('authors-tags.json'));
  expect(read('output/404.html')).toBe(read('output/content/404.json'));
});

test('a post that is taken back leaves no copy and no entry, though no setting asks for them', async () => {
  configure({});
  await prepress(folder, ['unpublish', SLUG]);
  expect(existsSync(join(folder, `output/content/posts/slug/${SLUG}`))).toBe(false);
  const texts = [...readTree(join(folder, 'output/content'))];
  expect(texts.filter(([, text]) => text.includes(SLUG)).map(([path]) => path)).toEqual([]);
  await prepress(folder, ['verify']);
  await prepress(folder, ['publish', SLUG]);
  expect(read(`output/content/posts/slug/${SLUG}/index.html`)).toContain(SLUG);
  expect(read('output/content/posts/index.html')).toContain(SLUG);
});

test('a deploy leaves out what the profile and the variants leave out', async () => {
  configure({ profile: 'by-id', variants: ['index', 'authors-tags'] });
  const said = await prepress(folder, ['deploy', `dir:${join(folder, 'site')}`]);
  expect(said).toContain('files by slug are left out');
  const paths = [...readTree(join(folder, 'site')).keys()].filter((path) => /json$/.test(path));
  expect(paths.filter((path) => path.includes('/slug/'))).toEqual([]);
  expect(paths.filter((path) => /posts\/[0-9a-f]{24}\/tags/.test(path))).toEqual([]);
  expect(paths.some((path) => /posts\/[0-9a-f]{24}\/authors-tags/.test(path))).toBe(true);
});

test('a deploy with the profile packed carries no list and no record', async () => {
  configure({ profile: 'packed' });
  const target = join(folder, 'packed');
  const said = await prepress(folder, ['deploy', `dir:${target}`]);
  expect(said).toContain('with the profile packed, lists and records are left out');
  const paths = [...readTree(join(target, 'content')).keys()];
  expect(paths.filter((path) => /^(?:posts|pages|tags|authors)\//.test(path))).toEqual([]);
  expect(paths).toEqual(expect.arrayContaining(['packed/root.json', 'settings/index.json']));
});

test('the files go where they are asked to go', async () => {
  await prepress(folder, ['hosts', 'write', 'vercel', '--to', '.vercel/output']);
  expect(JSON.parse(read('.vercel/output/config.json'))).toMatchObject({ version: 3 });
  expect(existsSync(join(folder, 'data/hosts/vercel'))).toBe(false);
});

test('two hosts with a file of one name are refused, and all failures are said', async () => {
  configure({ hosts: ['netlify', 'gitlab-pages', 'vercel', 'apache'] });
  writeFileSync(join(folder, 'output/.htaccess'), 'mine');
  const build = await runPrepress(folder, ['build']);
  expect(build.code).toBe(1);
  expect(build.stderr).toContain('_redirects was written for netlify, and gitlab-pages needs');
  expect(build.stderr).toContain('Your own .htaccess and the rules for apache need the same file');
  expect(build.stderr).not.toContain('another name');
  expect(read('output/_redirects')).toContain('hosts write netlify');
  const write = await runPrepress(folder, ['hosts', 'write', 'gitlab-pages']);
  expect([write.code, write.stderr]).toEqual([1, expect.stringContaining('written for netlify')]);
  rmSync(join(folder, 'output/_redirects'));
  rmSync(join(folder, 'output/.htaccess'));
  configure({ hosts: ['gitlab-pages'] });
  expect(await prepress(folder, ['build'])).toContain('holds _headers, written for netlify');
  expect(read('output/_redirects')).toContain('hosts write gitlab-pages');
});

test('a deploy leaves alone what a host was given in the folder itself', async () => {
  configure({});
  await prepress(folder, ['hosts', 'write', 'apache']);
  configure({ variants: ['index', 'authors-tags'] });
  await prepress(folder, ['hosts', 'write', 'apache', '--to', 'served']);
  const own = read('served/.htaccess');
  expect(own).not.toBe(read('output/.htaccess'));
  for (const name of ['first', 'second']) {
    await prepress(folder, ['deploy', `dir:${join(folder, 'served')}`]);
    expect(read('served/.htaccess'), name).toBe(own);
  }
  expect(existsSync(join(folder, 'served/content/posts/index.json'))).toBe(true);
});

test('builds keep the origin and the root that the settings name, and what options name is said', async () => {
  configure({
    hosts: ['varnish', 'nginx'],
    hostOrigin: '192.0.2.7:8001',
    hostRoot: '/usr/share/site',
  });
  await prepress(folder, ['build']);
  const named = (): boolean[] => [
    read('data/hosts/varnish/prepress.vcl').includes('.host = "192.0.2.7";\n    .port = "8001";'),
    read('data/hosts/nginx/prepress.nginx.conf').includes('root "/usr/share/site";'),
  ];
  expect(named()).toEqual([true, true]);
  const origin = await prepress(folder, ['hosts', 'write', 'varnish', '--origin', '192.0.2.8:80']);
  expect(origin).toContain('set hostOrigin there');
  const root = await prepress(folder, ['hosts', 'write', 'nginx', '--root', '/other']);
  expect(root).toContain('The rules name the folder /other.');
  expect(root).toContain('set hostRoot there');
  expect(named()).toEqual([false, false]);
  await prepress(folder, ['build', '--full']);
  expect(named()).toEqual([true, true]);
});

test('hosts are reloaded when their rules changed, once their own test has taken these', async () => {
  const reloads = join(folder, 'reloads');
  const count = (): number =>
    existsSync(reloads) ? readFileSync(reloads, 'utf8').split('\n').length - 1 : 0;
  const settings = { hosts: ['nginx', 'caddy', 'apache'] };
  configure(settings);
  expect(await prepress(folder, ['build'])).toMatch(/rules for .*caddy changed: reload them/);
  configure({ ...settings, hostsReload: 'echo done >> reloads', hostRoot: '/srv/one' });
  await prepress(folder, ['build']);
  await prepress(folder, ['build', '--full']);
  await prepress(folder, ['unpublish', SLUG]);
  await prepress(folder, ['publish', SLUG]);
  expect(count()).toBe(1);
  const posts = openDatabase();
  posts.prepare("UPDATE posts SET slug = 'con' WHERE slug = ?").run(SLUG);
  posts.close();
  await prepress(folder, ['build']);
  expect(count()).toBe(2);

  configure({ ...settings, hostsReload: 'echo down >&2; exit 3', hostRoot: '/srv/two' });
  const refused = await runPrepress(folder, ['build']);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/hostsReload failed: down/),
  ]);
  configure({ ...settings, hostsReload: 'echo done >> reloads', hostRoot: '/srv/two' });
  await prepress(folder, ['build']);
  expect(count()).toBe(3);
});

const noVarnish = missing('varnishd', 'apt-get install varnish');

test.skipIf(noVarnish !== null)(
  `rules that a host refuses reload nothing ${noVarnish ?? ''}`,
  async () => {
    const reloads = join(folder, 'none');
    configure({ hosts: ['varnish'], hostsReload: 'touch none', hostOrigin: '999.9:80' });
    const untaken = await runPrepress(folder, ['build']);
    expect(untaken.stderr).toMatch(/Varnish .* rejects these rules/);
    expect(existsSync(reloads)).toBe(false);
  },
);

test('a refusal that hosts share is no reason to warn, and goes with the last of them', async () => {
  configure({});
  const file = 'output/content/400.json';
  await prepress(folder, ['hosts', 'write', 'apache']);
  await prepress(folder, ['hosts', 'write', 'vercel']);
  const said = await prepress(folder, ['hosts', 'write', 'nginx']);
  expect(said).toContain('holds .htaccess, written for apache');
  expect(said).not.toMatch(/400\.json|htaccess and/);
  await prepress(folder, ['hosts', 'remove', 'vercel']);
  expect(existsSync(join(folder, file))).toBe(true);
  await prepress(folder, ['hosts', 'remove', 'apache']);
  expect(existsSync(join(folder, file))).toBe(false);
});

test('what was written for a host is taken back, but for what was changed since', async () => {
  configure({});
  await prepress(folder, ['hosts', 'remove', 'github-pages']);
  await prepress(folder, ['hosts', 'write', 'github-pages']);
  await prepress(folder, ['hosts', 'write', 'nginx', '--to', join(folder, 'etc')]);
  const copy = 'output/content/posts/index.html';
  expect(existsSync(join(folder, copy))).toBe(true);
  writeFileSync(join(folder, 'etc/prepress.nginx.conf'), '# mine');
  const nginx = await prepress(folder, ['hosts', 'remove', 'nginx']);
  expect(nginx).toContain(
    'etc/prepress.nginx.conf was edited since it was written, and was left alone',
  );
  expect(existsSync(join(folder, 'etc/prepress.nginx-http.conf'))).toBe(false);
  expect(read('etc/prepress.nginx.conf')).toBe('# mine');
  const pages = await prepress(folder, ['hosts', 'remove', 'github-pages']);
  expect(pages).toMatch(/Removed \d+ copies/);
  for (const path of [copy, 'output/.nojekyll', 'output/404.html'])
    expect(existsSync(join(folder, path)), path).toBe(false);
  await prepress(folder, ['build', '--full']);
  expect(existsSync(join(folder, copy))).toBe(false);
  await prepress(folder, ['verify']);
  await prepress(folder, ['hosts', 'remove', 'vercel']);
  expect(await prepress(folder, ['hosts', 'remove', 'vercel'])).toContain('Nothing was written');
});
