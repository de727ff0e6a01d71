// Names of plain files, each served under exactly its own, and the key guard, which no spelling of a path passes.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Ask, askAt } from '../../../matrix/ask.ts';
import { type Served, serve } from './harness.ts';

const ID = 'a'.repeat(24);
const DOCUMENT = '{"posts":[{"html":"guarded"}]}';

const withTree = async (basePath = ''): Promise<Served & { readonly ask: Ask }> => {
  const served = await serve({ flags: { basePath } });
  const put = (file: string, body: string): void =>
    served.put(join(basePath.slice(1), 'content', file), body);
  for (const folder of ['posts', `posts/${ID}`, 'posts/slug/日本', 'settings'])
    put(`${folder}/index.json`, DOCUMENT);
  put('404.json', '{"errors":[{"id":null}]}');
  put('manifest.json', '{}');
  put('images/a.png', 'png');
  return { ...served, ask: askAt(Number(new URL(served.origin).port)) };
};

/** What encodeURIComponent changes, what it leaves, and what a decoder might take for something else. */
const NAMES = [
  ...[...'!"#$%&\'()*+,-.:;<=>?@[]^_`{|}~ '].map((letter) => `x${letter}y.png`),
  'a b.png',
  'a\\b.png',
  'a%20b.png',
  'a%2520b.png',
  '%zz.png',
  'ä.png',
  '日本.png',
  'x\u0001y.png',
];

test('a plain file is served under its own name, and under no other', async () => {
  const { ask, put } = await withTree();
  for (const name of NAMES) {
    put(`content/images/${name}`, `image ${name}`);
    put(name, `page ${name}`);
  }
  for (const name of NAMES) {
    for (const [folder, kind] of [
      ['/content/images', 'image'],
      ['', 'page'],
    ]) {
      const answer = await ask({ path: `${folder}/${encodeURIComponent(name)}` });
      expect([answer.status, answer.body.toString()]).toEqual([200, `${kind} ${name}`]);
      expect(answer.headers['content-type']).toBe('image/png');
    }
  }
  const raw = await ask({ path: '/content/images/x@y.png' });
  expect(raw.body.toString()).toBe('image x@y.png');
  for (const name of ['a%25252520b.png', 'x%252By.png', 'a+b.png', 'x%2520y.png', '%C3%A4%00.png'])
    expect((await ask({ path: `/content/images/${name}` })).status, name).toBe(404);
});

test('a name is found in either normal form, the one that was sent first', async () => {
  const { ask, put } = await withTree();
  const [composed, decomposed] = ['é.png'.normalize('NFC'), 'é.png'.normalize('NFD')];
  const bodyOf = async (name: string): Promise<string> =>
    (await ask({ path: `/content/images/${encodeURIComponent(name)}` })).body.toString();
  put(`content/images/${composed}`, 'composed');
  expect([await bodyOf(composed), await bodyOf(decomposed)]).toEqual(['composed', 'composed']);
  put(`content/images/${decomposed}`, 'decomposed');
  expect([await bodyOf(composed), await bodyOf(decomposed)]).toEqual(['composed', 'decomposed']);
});

test('explicit names of documents are served with the key, in any script', async () => {
  const { ask, contentKey } = await withTree();
  for (const path of ['posts/slug/日本/index.json', `posts/${ID}/index.json`]) {
    const encoded = path.split('/').map(encodeURIComponent).join('/');
    const answer = await ask({ path: `/content/${encoded}?key=${contentKey}` });
    expect([answer.status, answer.body.toString()]).toEqual([200, DOCUMENT]);
    expect((await ask({ path: `/content/${encoded}` })).status).toBe(403);
  }
});

/** The path with each of its characters but the first, one after the other, percent-encoded. */
const encodings = (path: string): string[] =>
  [...path].flatMap((letter, at) => {
    if (at === 0) return [];
    const code = letter.charCodeAt(0).toString(16);
    return [...new Set([code, code.toUpperCase()])].map(
      (hex) => `${path.slice(0, at)}%${hex}${path.slice(at + 1)}`,
    );
  });

const GUARDED = [
  '/content/posts/',
  '/content/posts/index.json',
  `/content/posts/${ID}/index.json`,
  '/content/settings/index.json',
  '/ghost/api/content/posts/',
  '/ghost/api/v4/content/posts/index.json',
];

const ODD = (path: string): string[] => [
  path.replace('/content/', '//content/'),
  path.replace('/content/', '/content//'),
  path.replace('/content/', '/content/./'),
  path.replace('/content/', '/content/%2e/'),
  path.replace('/content/', '/x/../content/'),
  path.replace('/content/', '/content/images/../'),
  path.replace('/content/', '/content%2f'),
  path.replace('/content/', '/content%5c'),
  path.replace('/content/', '/content%00/'),
  path.replace('/content/', '/CONTENT/'),
  path.replace('/content/', '/content/%2570osts/../'),
  path.replace('/content/', '/content/#/../'),
  `http://other.test${path}`,
  `HTTP://other.test${path}`,
  `/${path}`,
];

test.each(['', '/blog'])(
  'no spelling of a guarded path passes without a key at "%s"',
  async (base) => {
    const { ask, contentKey } = await withTree(base);
    for (const path of GUARDED.map((one) => `${base}${one}`)) {
      expect((await ask({ path: `${path}?key=${contentKey}` })).status, path).toBe(200);
      for (const spelling of [path, ...encodings(path), ...ODD(path)]) {
        for (const method of ['GET', 'HEAD']) {
          const { status, body } = await ask({ method, path: spelling });
          expect(status, `${method} ${spelling}`).toBeGreaterThanOrEqual(400);
          expect(status, `${method} ${spelling}`).toBeLessThan(500);
          expect(body.toString(), spelling).not.toContain('guarded');
        }
      }
      // A letter may be encoded: it is the same address, with the key.
      const at = path.indexOf('content') + 'content/'.length;
      const code = `%${path.charCodeAt(at).toString(16)}`;
      const same = `${path.slice(0, at)}${code}${path.slice(at + 1)}?key=${contentKey}`;
      expect((await ask({ path: same })).body.toString(), same).toBe(DOCUMENT);
    }
  },
);

test('a link that leads to documents asks for the key too', async () => {
  const { ask, output, contentKey } = await withTree();
  mkdirSync(join(output, 'pub'));
  symlinkSync(join(output, 'content/posts'), join(output, 'content/images/posts'));
  symlinkSync(join(output, 'content/posts'), join(output, 'pub/posts'));
  symlinkSync(join(output, 'content/images'), join(output, 'pub/images'));
  const statusOf = async (path: string): Promise<number> => (await ask({ path })).status;
  expect(await statusOf('/content/images/posts/index.json')).toBe(403);
  expect(await statusOf(`/content/images/posts/index.json?key=${contentKey}`)).toBe(200);
  expect(await statusOf('/pub/posts/index.json')).toBe(404);
  expect(await statusOf('/pub/images/a.png')).toBe(200);
});

test('no spelling of an admin path passes without a token, or reaches a file', async () => {
  const { ask, put, insert } = await withTree();
  insert('members', { email: 'guarded@example.com' });
  put('admin/members/index.html', 'guarded');
  put('ghost/api/admin/members/index.html', 'guarded');
  for (const path of ['/admin/members/', '/admin/members', '/ghost/api/v4/admin/members/']) {
    for (const spelling of [path, ...encodings(path), `http://other.test${path}`, `/${path}`]) {
      for (const method of ['GET', 'HEAD']) {
        const { status, body } = await ask({ method, path: spelling });
        expect(status, `${method} ${spelling}`).toBeOneOf([400, 401, 404, 429]);
        expect(body.toString(), spelling).not.toContain('guarded');
      }
    }
  }
});
