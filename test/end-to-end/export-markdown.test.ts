// The content as Markdown in a Git repository: the same bytes for the same content, one changed file after one edit, no file of
// anybody else touched, and of gated posts what strangers read.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadDriver } from '../../src/base/sqlite/driver.ts';
import { insertRow } from '../helpers/publication.ts';
import { prepress, runPrepress } from '../helpers/run-prepress.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

type Site = {
  readonly folder: string;
  readonly export: (...options: string[]) => Promise<string>;
  readonly sql: (statement: string) => void;
  readonly read: (file: string) => string;
  /** What Git says has changed since it was last asked; all is committed then. */
  readonly changes: () => string[];
};

const makeSite = async (): Promise<Site> => {
  const folder = temporaryFolder();
  await prepress(folder, ['init', '--empty', '--site-url', 'https://site.test']);
  mkdirSync(join(folder, 'media/images/2026'), { recursive: true });
  writeFileSync(join(folder, 'media/images/2026/a b.png'), 'a picture');
  const shell = new (loadDriver())(join(folder, 'data/publication.db'));
  const author_id = insertRow(shell, 'users', { name: 'Ada: "A"', slug: 'ada' });
  const post = (slug: string, row: Record<string, unknown>): void => {
    const published = { status: 'published', published_at: '2026-01-02T10:00:00.000Z' };
    const post_id = insertRow(shell, 'posts', { slug, title: slug, ...published, ...row });
    insertRow(shell, 'posts_authors', { post_id, author_id });
  };
  const picture = '__GHOST_URL__/content/images/size/w600/2026/a%20b.png';
  post('open', { title: 'Open: "now"', html: `<p>Seen</p><img src="${picture}" alt="A">` });
  post('about', { type: 'page', html: '<p>About</p>' });
  post('closed', { visibility: 'paid', html: '<p>Free</p><!--members-only--><p>SECRET</p>' });
  post('draft', { status: 'draft', html: '<p>DRAFT</p>', published_at: null });
  shell.close();
  await prepress(folder, ['build']);
  const archive = join(folder, 'archive');
  mkdirSync(archive);
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@a.test', ...args], {
      cwd: archive,
      encoding: 'utf8',
    });
  git('init', '--quiet');
  return {
    folder,
    export: (...options) => prepress(folder, ['export', 'markdown', 'archive', ...options]),
    sql: (statement) => {
      const database = new (loadDriver())(join(folder, 'data/publication.db'));
      database.exec(statement);
      database.close();
    },
    read: (file) => readFileSync(join(archive, file), 'utf8'),
    changes: () => {
      git('add', '--all');
      const lines = git('status', '--porcelain').split('\n').filter(Boolean);
      git('commit', '--quiet', '--allow-empty', '--message', 'x');
      return lines;
    },
  };
};

test('one edit changes one file; what is withdrawn goes, and what others wrote stays', async () => {
  const site = await makeSite();
  await site.export();
  writeFileSync(join(site.folder, 'archive/posts/mine.md'), 'mine');
  expect(site.changes()).toEqual(
    [
      '.prepress-export.json',
      '"content/images/2026/a b.png"',
      ...['pages/about.md', 'posts/closed.md', 'posts/mine.md', 'posts/open.md'],
    ].map((file) => `A  ${file}`),
  );
  const times = (): number[] =>
    ['posts/open.md', '.prepress-export.json'].map(
      (file) => statSync(join(site.folder, 'archive', file)).mtimeMs,
    );
  const before = times();
  expect(await site.export()).toContain('0 files written, 0 removed, 4 unchanged');
  expect(times()).toEqual(before);
  site.sql(`UPDATE posts SET html = '<p>Other</p>' WHERE slug = 'about'`);
  await site.export();
  expect(site.changes()).toEqual(['M  pages/about.md']);
  site.sql(`UPDATE posts SET status = 'draft' WHERE slug = 'open'`);
  await site.export();
  expect(site.changes()).toEqual([
    'M  .prepress-export.json',
    'D  "content/images/2026/a b.png"',
    'D  posts/open.md',
  ]);
});

test('front matter is YAML, pictures lie beside the text, and what is gated is a notice unless asked for', async () => {
  const site = await makeSite();
  await site.export();
  const [, facts = '', body] = site.read('posts/open.md').split(/^---\n/m);
  expect(parse(facts)).toMatchObject({
    title: 'Open: "now"',
    url: 'https://site.test/open/',
    authors: ['Ada: "A"'],
    visibility: 'public',
  });
  expect(body).toBe('\nSeen\n\n![A](../content/images/2026/a%20b.png)\n');
  const names = readdirSync(join(site.folder, 'archive'), { recursive: true, encoding: 'utf8' });
  const all = names.filter((name) => /md$/.test(name)).map((name) => site.read(name));
  expect(all.join('\n')).not.toMatch(/SECRET|DRAFT/);
  expect(site.read('posts/closed.md')).toMatch(
    /Free\n\n> The rest of this text is for paying members: <https:\/\/site\.test\/closed\/>\n$/,
  );
  expect(await site.export('--ungated')).toContain('show it to nobody else');
  expect(site.read('posts/closed.md')).toMatch(/Free\n\nSECRET\n$/);
});

test('no list leads out of the folder, no file of others is replaced, and no export lies in the output', async () => {
  const site = await makeSite();
  const archive = join(site.folder, 'archive');
  const files = ['../data/admin-key', 'posts/../../data/admin-key', '/etc/hostname', '.git/HEAD'];
  writeFileSync(join(archive, '.prepress-export.json'), JSON.stringify({ files }));
  await site.export();
  expect(
    ['data/admin-key', 'archive/.git/HEAD'].filter((file) => !existsSync(join(site.folder, file))),
  ).toEqual([]);
  writeFileSync(
    join(archive, '.prepress-export.json'),
    JSON.stringify({ files: ['posts/closed.md'] }),
  );
  writeFileSync(join(archive, 'posts/open.md'), 'mine');
  const refusals: [string, string][] = [
    ['archive', 'posts/open.md was not written by an export'],
    ['output/archive', 'is served to readers'],
    ['output/..', 'must not contain each other'],
  ];
  for (const [to, sentence] of refusals) {
    const { code, stderr } = await runPrepress(site.folder, [
      'export',
      'markdown',
      to,
      '--ungated',
    ]);
    expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining(sentence)]);
    expect(code).not.toBe(0);
  }
  expect(site.read('posts/open.md')).toBe('mine');
});
