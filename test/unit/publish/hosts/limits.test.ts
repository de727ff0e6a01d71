// Limits are compared with what a host would get, before anything is written.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GUARDED_FOLDERS, recordFiles } from '../../../../src/content/paths/files.ts';
import { EVERYTHING, type Selection } from '../../../../src/content/paths/selection.ts';
import type { Host, HostSite } from '../../../../src/publish/hosts/host.ts';
import { listOtherFiles } from '../../../../src/publish/hosts/host-site.ts';
import { getHost, HOSTS, hostAs } from '../../../../src/publish/hosts/hosts.ts';
import { limitLines } from '../../../../src/publish/hosts/limits/check-limits.ts';
import { treeFiguresOf } from '../../../../src/publish/hosts/limits/tree-figures.ts';
import { writeHost } from '../../../../src/publish/hosts/placing/write-host.ts';
import { bareHostSite } from '../../../helpers/host-site.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const idOf = (at: number): string => at.toString(16).padStart(24, '0');

const segmentOf = (at: number): string => `s-${at}`;

type SizedFile = { readonly path: string; readonly size: number };

type Tree = {
  readonly posts?: number;
  readonly bytes?: number;
  readonly paged?: boolean;
  readonly others?: readonly SizedFile[];
};

const MIB = 1024 * 1024;
const picture = (size: number): Tree => ({ others: [{ path: 'content/images/a.png', size }] });

/** Those of the first records that a test asks for: trees are read several times, and larger ones begin like smaller ones. */
const made: SizedFile[] = [];
const filesPerRecord = recordFiles('posts', idOf(0), segmentOf(0)).length;

const filesOf = (posts: number): readonly SizedFile[] => {
  for (let at = made.length / filesPerRecord; at < posts; at += 1)
    for (const path of recordFiles('posts', idOf(at), segmentOf(at)))
      made.push({ path, size: 100 });
  return posts * filesPerRecord === made.length ? made : made.slice(0, posts * filesPerRecord);
};

const siteOf = (tree: Tree, selection: Selection = EVERYTHING): HostSite => {
  const { posts = 0, bytes = 100 } = tree;
  const segments = Array.from({ length: posts }, (_, at) => ({
    id: idOf(at),
    segment: segmentOf(at),
  }));
  return bareHostSite({
    output: join(temporaryFolder(), 'output'),
    selection,
    defaultVariants: ['authors-tags'],
    segments: (resource) => (resource === 'posts' ? segments : []),
    otherFiles: () => tree.others ?? [],
    treeFiles: function* () {
      yield { path: 'posts/index.json', size: bytes };
      yield* filesOf(posts);
    },
  });
};

const write = async (host: Host, site: HostSite) =>
  writeHost({ host, site, dataFolder: join(site.output, '..') });

const refused = async (name: string, site: HostSite): Promise<string> => {
  const error = await write(getHost(name), site).then(
    () => null,
    (thrown: Error) => thrown,
  );
  expect(existsSync(site.output)).toBe(false);
  expect(existsSync(join(site.output, '..', 'hosts'))).toBe(false);
  expect(error).toMatchObject({ code: 'VALIDATION' });
  return error?.message ?? '';
};

test.each([
  ['cloudflare', { posts: 12_500 }, '100,004 files, of at most 100,000'],
  ['cloudflare-pages', { posts: 12_500 }, '100,003 files, of at most 100,000'],
  ['gitlab-pages', { posts: 25_000 }, '200,002 files, of at most 200,000'],
  ['netlify', { posts: 54_000 }, '54,002 entries of content/posts, of at most 54,000'],
  ['cloudflare', { bytes: 25 * MIB + 1 }, '26,214,401 bytes of posts/index.json'],
  ['cloudflare-pages', { bytes: 25 * MIB + 1 }, 'of at most 26,214,400'],
  ['github-pages', { bytes: 1_000_000_001 }, '1,000,000,001 bytes in all'],
  ['firebase', { bytes: 2_000_000_001 }, '2,000,000,001 bytes of posts/index.json'],
  ['cloudflare', picture(25 * MIB + 1), 'bytes of content/images/a.png'],
  ['cloudflare-pages', picture(25 * MIB + 1), 'bytes of content/images/a.png'],
  ['github-pages', picture(100 * MIB + 1), 'bytes of content/images/a.png'],
  ['github-pages', picture(1_000_000_000), 'bytes in all'],
])('%s refuses %j before it writes', async (name, tree: Tree, words) => {
  expect(await refused(name, siteOf(tree))).toContain(words);
});

const figuresOf = async (name: string, site: HostSite, to?: string) => {
  const dataFolder = join(site.output, '..');
  const host = getHost(name);
  const { limits } = await writeHost({ host, site, dataFolder, ...(to !== undefined && { to }) });
  return new Map(limits.map(({ what, have }) => [what, have]));
};

test('hosts that upload the whole output count what a selection leaves out of deploys', async () => {
  const selection = { profile: 'literal', variants: ['index', 'authors-tags'] } as const;
  const others = [
    { path: 'index.html', size: 1 },
    { path: '_routes.json', size: 1 },
  ];
  const tree = { posts: 10, others };
  expect((await figuresOf('cloudflare-pages', siteOf(tree, selection))).get('files')).toBe(84);
  const site = siteOf(tree, selection);
  expect((await figuresOf('cloudflare-pages', site, temporaryFolder())).get('files')).toBe(44);
  expect((await figuresOf('cloudflare', siteOf(tree, selection))).get('files')).toBe(46);
});

test('sidecars count where the whole output is uploaded, and only there', () => {
  const site: HostSite = {
    ...siteOf({ posts: 10 }),
    encodings: ['br', 'gzip'],
    sidecars: function* () {
      yield { path: 'posts/index.json.br', size: 20 };
      yield { path: 'posts/index.json.gz', size: 30 };
    },
  };
  const plain = siteOf({ posts: 10 });
  const countOf = (name: string, what: string): number => {
    const host = getHost(name);
    const isWhole = host.uploads === 'output';
    const [more = 0, less = 0] = [site, plain].map(
      (one) =>
        limitLines({ host, files: [], site: one, isWhole }).find((line) => line.what === what)
          ?.have,
    );
    return more - less;
  };
  expect(countOf('cloudflare-pages', 'files')).toBe(2);
  expect(countOf('gitlab-pages', 'files')).toBe(2);
  expect(countOf('github-pages', 'bytes in all')).toBe(50);
  expect(countOf('netlify', 'entries of content/posts')).toBe(2);
  expect(countOf('cloudflare', 'files')).toBe(0);
  for (const name of ['cloudflare-pages', 'netlify', 'vercel', 'github-pages']) {
    expect(getHost(name).limitations(site).join()).toContain('the setting precompress');
    expect(getHost(name).limitations(plain).join()).not.toContain('precompress');
  }
  expect(getHost('nginx').limitations(site).join()).toContain('libnginx-mod-http-brotli-static');
});

test('hosts that leave files out leave out sidecars', async () => {
  const site: HostSite = { ...siteOf({}), basePath: '/blog', encodings: ['gzip'] };
  const [ignored] = (await getHost('cloudflare').files(site, '')).filter(
    ({ path }) => path === '.assetsignore',
  );
  expect(ignored?.text).toContain('\n/blog/content/posts/**/*.json.gz\n');
  const [rules] = await getHost('firebase').files(site, '');
  expect(JSON.parse(rules?.text ?? '').hosting.ignore).toContain(
    `blog/content/@(${GUARDED_FOLDERS.join('|')})/**/*.json.gz`,
  );
});

test('bytes are counted with the copies that are made', async () => {
  const selection = { profile: 'plain-files', variants: null } as const;
  const site = siteOf({ posts: 10 }, selection);
  // Ten posts by id and slug in four variants, their copies, and the list.
  expect((await figuresOf('github-pages', site)).get('bytes in all')).toBe((80 + 20 + 1) * 100);
});

test('what lies beside the tree is found, and the tree is not counted again', () => {
  const output = join(temporaryFolder(), 'output');
  const files = ['b/content/images/x/a.png', 'index.html', 'content/posts/index.html'];
  const left = ['b/content/posts/index.json', '.prepress-1/a', 'b/content/404.json'];
  for (const path of [...files, ...left]) {
    mkdirSync(join(output, path, '..'), { recursive: true });
    writeFileSync(join(output, path), '12');
  }
  const found = listOtherFiles(output, '/b');
  expect(found.map(({ path }) => path).sort()).toEqual([...files].sort());
  expect(found[0]?.size).toBe(2);
});

test.each([
  ['cloudfront', 400, 'bytes of the largest file for the host, of at most 10,240'],
  ['netlify', 400, 'rules, of at most 10,000'],
  ['gitlab-pages', 200, 'rules, of at most 1,000'],
])('%s refuses the rules of %i slugs that need one each', async (name, slugs, words) => {
  const names = Array.from({ length: slugs }, (_, at) => ({
    resource: 'posts' as const,
    slug: `Twin-${at}`,
    segment: `~${at.toString(16).padStart(32, '0')}`,
  }));
  expect(await refused(name, { ...siteOf({}), names })).toContain(words);
});

test('what does not fit as it is may fit by id, and the refusal says so', async () => {
  const site = siteOf({ posts: 12_500 });
  expect(await refused('cloudflare', site)).toContain('With the profile by-id it would get 50,001');
  const selection = { profile: 'by-id', variants: null } as const;
  const report = await write(getHost('cloudflare'), siteOf({ posts: 12_500 }, selection));
  expect(report.limits[0]).toMatchObject({ what: 'files', max: 100_000 });
  expect(report.limits[0]?.have).toBeGreaterThan(50_001);
});

test.each([
  ['nginx', 'a$uri'],
  ['caddy', 'a{env.HOME}'],
  ['nginx', 'a\nb'],
])('%s refuses an output whose name it would read otherwise', async (name, folder) => {
  const site = siteOf({});
  const output = join(site.output, folder);
  await expect(write(getHost(name), { ...site, output, root: output })).rejects.toMatchObject({
    code: 'VALIDATION',
    message: expect.stringContaining(folder),
  });
});

test('Netlify gets no rule that would stand for any slug', async () => {
  const names = [{ resource: 'posts' as const, slug: 'all*', segment: `~${'0'.repeat(32)}` }];
  const site = { ...siteOf({}), names };
  const { limitations } = await write(getHost('netlify'), site);
  expect(limitations.join()).toContain('1 record cannot be asked for by slug');
  const rules = readFileSync(join(site.output, '_redirects'), 'utf8');
  expect(rules).not.toContain('slug/all');
});

test.each(['cloudflare', 'cloudflare-pages', 'cloudfront'])(
  '%s says which slugs it refuses to find',
  (name) => {
    const stored = ['a/b', 'a\\b', 'con'].map((slug) => ({
      resource: 'posts' as const,
      slug,
      segment: `~${'0'.repeat(32)}`,
    }));
    const limitations = getHost(name).limitations({ ...siteOf({}), names: stored });
    expect(limitations.join()).toContain('1 record cannot be asked for by slug');
  },
);

test('what does not fit by id may fit packed, and 100,000 posts fit the free plan of Cloudflare', async () => {
  const many = siteOf({ posts: 60_000 });
  expect(await refused('cloudflare', many)).toContain('With the profile packed it would get 0');
  expect(await refused('netlify-edge', many)).toContain('With the profile packed');
  // As the bench has them; a day of publishes keeps 14 files each.
  const blobs = 16_360 + 200 * 14;
  const packed: Selection = { profile: 'packed', variants: null };
  const site: HostSite = {
    ...siteOf({ posts: 100_000 }, packed),
    treeFiles: function* () {
      yield* siteOf({ posts: 100_000 }).treeFiles();
      for (let at = 0; at < blobs; at += 1) {
        yield { path: `packed/00/${at.toString(16).padStart(30, '0')}.txt`, size: 64 };
      }
    },
  };
  const report = await write(getHost('cloudflare'), site);
  expect(report.limits[0]).toMatchObject({ what: 'files', max: 100_000 });
  expect(report.limits[0]?.have).toBeLessThan(20_000);
  expect(report.limits[0]?.have).toBeGreaterThan(blobs);
});

describe('the numbers of the README', () => {
  test.each([
    ['literal', null, 12_500],
    ['by-id', null, 25_000],
    ['by-id', ['index', 'authors-tags'], 50_000],
  ] as const)('%s %s holds %i posts', (profile, variants, posts) => {
    const { files } = treeFiguresOf(siteOf({ posts: posts / 100 }, { profile, variants }));
    expect(files - 1).toBe(1_000);
  });
});

test.each(HOSTS.map((host) => [host.name, host] as const))(
  '%s says what will not work, and where it would',
  (_, host) => {
    const { profiles: [profile = 'literal'] = [] } = host;
    const limitations = host.limitations(siteOf({}, { profile, variants: null }));
    expect(limitations.length).toBeGreaterThan(0);
    expect(limitations.join(' ')).toMatch(/\b(?:use|ask for|give clients)\b/);
  },
);

test('a host either sends the policy of pictures and files, or hosts write says that it does not', async () => {
  const site = siteOf({ posts: 1 });
  const folder = temporaryFolder();
  const mute: string[] = [];
  for (const host of HOSTS.filter(({ name }) => name !== 'cdn')) {
    const files = await host.files(site, folder);
    const isSent = files.some(({ text }) => /content-?security-?policy/i.test(text));
    if (!isSent) mute.push(host.name);
  }
  const said = HOSTS.filter((host) =>
    /without Content-Security-Policy/.test(host.limitations(site).join()),
  );
  expect(mute).toEqual(said.map(({ name }) => name));
  expect(mute).toContain('plain-files');
});

test('rules that the program of the host refuses replace nothing that stands', async () => {
  const site = siteOf({});
  const nginx = getHost('nginx');
  const standing = join(site.output, '..', 'hosts/nginx/prepress.nginx.conf');
  const answering = (said: string): Host => ({
    ...nginx,
    test: () => ({ text: '', command: ['sh', '-c', said] }),
  });
  await write(answering('exit 127'), site);
  const before = readFileSync(standing, 'utf8');
  const other = { ...site, basePath: '/blog' };
  await expect(write(answering('echo "line 3 is wrong" >&2; exit 1'), other)).rejects.toThrow(
    /nginx rejects these rules, so the present ones stay: line 3 is wrong/,
  );
  expect(readFileSync(standing, 'utf8')).toBe(before);
  // As much as Varnish prints of long rules.
  await write(answering('head -c 20000000 /dev/zero'), other);
  expect(readFileSync(standing, 'utf8')).not.toBe(before);
});

test('the command that uploads the output names its folder, or the one of --to', async () => {
  const site = siteOf({});
  const host = {
    ...getHost('cloudflare-pages'),
    files: async () => [{ path: '_worker.js', text: '' }],
  };
  const [to, dataFolder] = [join(temporaryFolder(), 'to'), join(temporaryFolder(), 'data')];
  mkdirSync(dataFolder, { recursive: true });
  expect((await write(host, site)).use).toBe(`npx wrangler pages deploy "${site.output}"`);
  expect((await writeHost({ host, site, dataFolder, to })).use).toBe(
    `npx wrangler pages deploy "${to}"`,
  );
});

test('Netlify is said to read the output only where it holds the rules', async () => {
  const site = siteOf({});
  const [to, dataFolder] = [join(temporaryFolder(), 'to'), temporaryFolder()];
  const host = { ...getHost('netlify'), files: async () => [{ path: '_headers', text: 'rules' }] };
  const useOf = async (more = {}): Promise<string> =>
    (await writeHost({ host, site, dataFolder, ...more })).use;
  const uses = [await useOf(), await useOf({ to: site.output }), await useOf({ to })];
  writeFileSync(join(site.output, '_headers'), 'own');
  expect([...uses, await useOf()]).toEqual(
    [host.use, host.use, host.useElsewhere, host.useElsewhere].map(String),
  );
});

test('a parameter longer than the host takes is refused', async () => {
  const text = `map $uri $a { "~^/(?:${'a|'.repeat(2_050)}b)$" 1; }`;
  const host = { ...getHost('nginx'), files: async () => [{ path: 'prepress.nginx.conf', text }] };
  await expect(write(host, siteOf({}))).rejects.toThrow(
    /4,109 bytes in the longest quoted text of its rules, of at most 4,096\. Each slug/,
  );
});

test('more rules than the host takes are refused, with what takes their place', async () => {
  const host = { ...getHost('netlify'), countRules: () => 10_001 };
  await expect(write(host, siteOf({}))).rejects.toThrow(
    /10,001 rules, of at most 10,000\. Each slug/,
  );
});

test('as a shield, Apache gets a file for its configuration, and the output no .htaccess', async () => {
  const host = hostAs(getHost('apache'), true);
  const { files, use } = await write(host, { ...siteOf({}), isShield: true });
  expect(files.filter((path) => !path.endsWith('400.json'))).toEqual([
    expect.stringMatching(/hosts\/apache\/prepress-shield[.]conf$/),
  ]);
  expect(use).toContain(`Include "${files[0]}"`);
  expect(hostAs(getHost('apache'), false).place).toBe('output');
});

test('every path in the directions of a host is quoted, since a folder may have a space', () => {
  for (const { name, use } of HOSTS)
    expect(use.replaceAll('"{folder}', ''), name).not.toContain('{folder}');
});
