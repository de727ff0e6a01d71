import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { placeHostFiles } from '../../../../src/publish/output/copies/host-files.ts';
import { RECORDS } from '../../../../src/publish/output/copies/written-files.ts';
import type { Page, PageFilesInput } from '../../../../src/publish/output/pages/page.ts';
import {
  type PageFilesReport,
  placePages,
  RESERVED_PAGE_NAMES,
} from '../../../../src/publish/output/pages/page-files.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';
import { NO_SYNC, readStatKeys, readTree } from '../../../helpers/tree.ts';

const pagesOf = (texts: Readonly<Record<string, string>>): Page[] =>
  Object.entries(texts).map(([path, text]) => ({ path, read: () => Buffer.from(text) }));

type Site = {
  readonly root: string;
  readonly record: string;
  readonly place: (
    texts: Readonly<Record<string, string>>,
    more?: Partial<PageFilesInput>,
  ) => Promise<PageFilesReport>;
};

const createSite = (): Site => {
  const folder = temporaryFolder();
  const [root, record] = [join(folder, 'output'), join(folder, 'pages.json')];
  return {
    root,
    record,
    place: (texts, more = {}) =>
      placePages({
        root,
        record,
        pages: pagesOf(texts),
        generation: { shown: 1, newest: 1 },
        durability: NO_SYNC,
        ...more,
      }),
  };
};

const put = (root: string, path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};

describe('placing pages', () => {
  it('makes a new page once: that of a long text takes time', async () => {
    const { place } = createSite();
    const made: string[] = [];
    const pages = ['a.md', 'b.md'].map((path) => ({
      path,
      read: () => {
        made.push(path);
        return Buffer.from(path);
      },
    }));
    await place({}, { pages });
    expect(made).toEqual(['a.md', 'b.md']);
  });

  it('writes them, touches nothing the second time, and replaces what changed alone', async () => {
    const { root, record, place } = createSite();
    const texts = { 'index.html': 'home', 'about/index.html': 'about' };
    const written = ['index.html', 'about/index.html'];
    expect(await place(texts)).toEqual({ written, removed: [], blocked: [] });
    const [statKeys, recorded] = [readStatKeys(root), statSync(record).mtimeMs];
    expect(await place(texts)).toEqual({ written: [], removed: [], blocked: [] });
    expect(readStatKeys(root)).toEqual(statKeys);
    expect(statSync(record).mtimeMs).toBe(recorded);
    expect((await place({ ...texts, 'index.html': 'new' })).written).toEqual(['index.html']);
    const after = readStatKeys(root);
    expect(after.get('about/index.html')).toBe(statKeys.get('about/index.html'));
    expect(after.get('index.html')).not.toBe(statKeys.get('index.html'));
  });

  it('removes pages that are gone, with the folders they leave empty', async () => {
    const { root, place } = createSite();
    await place({ 'index.html': 'home', 'a/b/index.html': 'deep', 'c/index.html': 'c' });
    put(root, 'c/notes.txt', 'mine');
    const { removed } = await place({ 'index.html': 'home' });
    expect(removed.toSorted()).toEqual(['a/b/index.html', 'c/index.html']);
    expect([...readTree(root).keys()]).toEqual(['c/notes.txt', 'index.html']);
    expect(existsSync(join(root, 'a'))).toBe(false);
  });

  it('removes nothing when the pages are only some of them', async () => {
    const { root, place } = createSite();
    await place({ 'index.html': 'home', 'about/index.html': 'about' });
    await place({ 'index.html': 'new' }, { isPartial: true });
    expect([...readTree(root).values()]).toEqual(['about', 'new']);
    expect((await place({ 'index.html': 'new' })).removed).toEqual(['about/index.html']);
  });

  it('turns a page into a folder of pages and back', async () => {
    const { root, place } = createSite();
    await place({ about: 'file' });
    await place({ 'about/index.html': 'folder' });
    expect([...readTree(root)]).toEqual([['about/index.html', 'folder']]);
    await place({ about: 'file' });
    expect([...readTree(root)]).toEqual([['about', 'file']]);
  });

  it('leaves no staging folder behind', async () => {
    const { root, place } = createSite();
    put(root, '.prepress-pages/7', 'left by a broken-off run');
    await place({ 'index.html': 'home' });
    expect(readdirSync(root)).toEqual(['index.html']);
  });
});

describe('files of others', () => {
  it('stay as they are where a page would stand', async () => {
    const { root, place } = createSite();
    put(root, 'index.html', 'written by hand');
    put(root, 'robots.txt', 'mine');
    const report = await place({ 'index.html': 'home', 'about/index.html': 'about' });
    expect(report).toEqual({ written: ['about/index.html'], removed: [], blocked: ['index.html'] });
    await place({});
    expect([...readTree(root)]).toEqual([
      ['index.html', 'written by hand'],
      ['robots.txt', 'mine'],
    ]);
  });

  it('are replaced where they are copies of the tree, such as 404.html for a host', async () => {
    const { root, place } = createSite();
    put(root, '404.html', '{}');
    const page = { '404.html': 'absent' };
    expect((await place(page)).blocked).toEqual(['404.html']);
    expect((await place(page, { copies: ['404.html'] })).written).toEqual(['404.html']);
  });

  it('stay where they are rules of a host, in whose place a page stood before', async () => {
    const { root, record, place } = createSite();
    await place({ _redirects: '/a /b', _headers: 'own' });
    for (const path of ['_redirects', '_headers']) rmSync(join(root, path));
    const files = ['_redirects', '_headers'].map((path) => ({ path, text: 'rules' }));
    placeHostFiles({ root, record: join(dirname(record), RECORDS.hosts), files });
    expect((await place({ _redirects: '/a /b' })).blocked).toEqual(['_redirects']);
    expect(readTree(root)).toEqual(new Map(files.map(({ path, text }) => [path, text])));
  });

  it('are taken for pages when they have the same bytes', async () => {
    const { root, record, place } = createSite();
    await place({ 'index.html': 'home' });
    writeFileSync(record, 'not JSON');
    expect((await place({ 'index.html': 'home' })).blocked).toEqual([]);
    expect((await place({ 'index.html': 'new' })).written).toEqual(['index.html']);
    expect(readFileSync(join(root, 'index.html'), 'utf8')).toBe('new');
  });

  it('are not reached through links or below files', async () => {
    const { root, place } = createSite();
    const elsewhere = temporaryFolder();
    mkdirSync(root);
    symlinkSync(elsewhere, join(root, 'linked'));
    put(root, 'file', 'mine');
    put(root, 'folder/note.txt', 'mine');
    const report = await place({ 'linked/index.html': 'x', 'file/index.html': 'x', folder: 'x' });
    expect(report.blocked).toEqual(['linked/index.html', 'file/index.html', 'folder']);
    expect(readdirSync(elsewhere)).toEqual([]);
    put(elsewhere, 'index.html', 'x');
    await place({ 'linked/index.html': 'x' });
    await place({});
    expect(readdirSync(elsewhere)).toEqual(['index.html']);
  });

  it('are those of another tree, too', async () => {
    const { root, record, place } = createSite();
    await place({ 'index.html': 'home' });
    const other = join(temporaryFolder(), 'output');
    await place({ 'index.html': 'home' }, { root: other });
    await place({}, { root: other });
    expect(readdirSync(other)).toEqual([]);
    expect(existsSync(join(root, 'index.html'))).toBe(true);
    expect(Object.keys(JSON.parse(readFileSync(record, 'utf8')).trees)).toHaveLength(2);
  });
});

describe('pages that cannot be placed', () => {
  it.each(RESERVED_PAGE_NAMES)('are those under /%s/', async (name) => {
    const { root, place } = createSite();
    const attempt = place({ 'index.html': 'home', [`${name.toUpperCase()}/index.html`]: 'x' });
    await expect(attempt).rejects.toMatchObject({
      code: 'PAGES_INVALID',
      message: expect.stringContaining(name.toUpperCase()),
      // No row is at fault.
      facts: { hint: expect.not.stringMatching(/\brows?\b/) },
    });
    expect(existsSync(root)).toBe(false);
  });

  it('are outside, or two of one name', async () => {
    const { place } = createSite();
    const pair = [...pagesOf({ 'index.html': 'a' }), ...pagesOf({ 'index.html': 'b' })];
    const outside = ['../index.html', '/etc/x', 'a/../../x', 'a//x', ''];
    for (const pages of [pair, ...outside.map((path) => pagesOf({ [path]: 'x' }))]) {
      await expect(place({}, { pages })).rejects.toMatchObject({ code: 'PAGES_INVALID' });
    }
  });

  it('may share only the beginning of a name with the interface', async () => {
    const { place } = createSite();
    const report = await place({ 'contents/index.html': 'x', 'health.html': 'x' });
    expect(report.written).toHaveLength(2);
  });
});

describe('pages of an older build', () => {
  it('do not replace those of a newer one, unless the counting began anew', async () => {
    const { root, place } = createSite();
    const placeOf = (shown: number, newest: number) =>
      place({ 'index.html': `of ${shown}` }, { generation: { shown, newest } });
    await placeOf(5, 5);
    expect((await placeOf(4, 5)).written).toEqual([]);
    expect(readFileSync(join(root, 'index.html'), 'utf8')).toBe('of 5');
    await placeOf(1, 1);
    expect(readFileSync(join(root, 'index.html'), 'utf8')).toBe('of 1');
  });
});

describe('pages whose record was lost', () => {
  const own = (title: string): string =>
    `<!doctype html><meta name="generator" content="Prepress"><title>${title}</title>`;

  it("are the program's where they have its mark, and somebody's where they have not", async () => {
    const { root, record, place } = createSite();
    await place({ 'index.html': own('Before'), 'about.html': 'about' });
    rmSync(record);
    put(root, 'other.html', own('Not asked for'));
    const report = await place({ 'index.html': own('Now'), 'about.html': 'about, altered' });
    expect(report).toEqual({ written: ['index.html'], removed: [], blocked: ['about.html'] });
    expect(readFileSync(join(root, 'index.html'), 'utf8')).toBe(own('Now'));
    expect(existsSync(join(root, 'other.html'))).toBe(true);
  });

  it('stay where a record names the tree and not the page', async () => {
    const { root, place } = createSite();
    await place({ 'about.html': 'about' });
    put(root, 'index.html', own('A copy by hand'));
    const report = await place({ 'index.html': own('Now'), 'about.html': 'about' });
    expect(report.blocked).toEqual(['index.html']);
  });
});
