// Edge code over files in memory: what it reads, what it keeps, and in which order it decides.
import { createHash } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { createServeEdge, type ServeEdge } from '../../../../src/content/edge/serve-edge.ts';
import type { WorkerSite } from '../../../../src/content/edge/worker-site.ts';
import { PACKED_ROOT_FILE } from '../../../../src/content/tree/names.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { numberedId, packPosts, putPacked } from '../../../helpers/packed-files.ts';

const SITE: WorkerSite = {
  basePath: '',
  names: {},
  paged: [],
  keyHashes: null,
  profile: 'packed',
  dropped: [],
  routes: [],
};

type Files = Map<string, Uint8Array<ArrayBuffer>>;

const filesOf = (titles: readonly string[]): Files => {
  const files: Files = new Map();
  const documents = titles.map((title, at) => ({ id: numberedId(at), title, html: title }));
  putPacked(
    (file, bytes) => files.set(file, new Uint8Array(Buffer.from(bytes))),
    packPosts(documents),
  );
  files.set('content/404.json', new Uint8Array(Buffer.from('{"errors":[]}')));
  return files;
};

type Edge = {
  readonly ask: (query: string, init?: RequestInit) => Promise<Response>;
  /** Paths of the files that were asked for, in their order. */
  readonly read: string[];
  /** What is answered for blobs. */
  readonly failing: { with: (() => Promise<never>) | null };
};

const edgeOf = (files: Files, site: Partial<WorkerSite> = {}): Edge => {
  const serve: ServeEdge = createServeEdge({ ...SITE, ...site });
  const read: string[] = [];
  const failing: Edge['failing'] = { with: null };
  const fetchFile = async (request: Request): Promise<Response> => {
    const path = new URL(request.url).pathname.slice(1);
    read.push(path);
    if (failing.with !== null && !path.endsWith('.json')) return failing.with();
    const bytes = files.get(path);
    if (bytes === undefined) return new Response(null, { status: 404 });
    const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
    const isKnown = request.headers.get('if-none-match') === etag;
    return new Response(isKnown ? null : bytes, { status: isKnown ? 304 : 200, headers: { etag } });
  };
  const ask = (query: string, init: RequestInit = {}): Promise<Response> => {
    const request = new Request(`http://site.test/content/${query}`, init);
    return serve(request, { fetchFile, after: (work) => void work });
  };
  return { ask, read, failing };
};

const QUERY = 'posts/?limit=2&fields=title';
const titlesOf = async (response: Response): Promise<string[]> =>
  ((await response.json()) as { posts: { title: string }[] }).posts.map(({ title }) => title);

/** As Cloudflare has it. */
const openCache = () => {
  const kept = new Map<string, Response>();
  const cache = {
    kept,
    match: async (key: string) => kept.get(key)?.clone(),
    put: async (key: string, response: Response) => void kept.set(key, response),
  };
  vi.stubGlobal('caches', { default: cache });
  return cache;
};

afterEach(() => {
  vi.unstubAllGlobals();
});

test('the root is asked for each time, a blob once', async () => {
  const { ask, read } = edgeOf(filesOf(['one', 'two', 'three']));
  expect(await titlesOf(await ask(QUERY))).toEqual(['one', 'two']);
  expect(read.length).toBeGreaterThan(2);
  read.splice(0);
  expect(await titlesOf(await ask(QUERY))).toEqual(['one', 'two']);
  expect(read).toEqual([`content/${PACKED_ROOT_FILE}`]);
});

test('an answer is kept for all isolates, as long as its root stands', async () => {
  const { kept } = openCache();
  const files = filesOf(['one', 'two']);
  const first = await edgeOf(files).ask(`${QUERY}&key=1`);
  const { ask, read } = edgeOf(files);
  const second = await ask(QUERY.replace('?', '?key=2&'));
  expect(await second.text()).toBe(await first.text());
  for (const name of ['etag', 'content-type', 'content-length', 'cache-control', 'vary'])
    expect(second.headers.get(name), name).toBe(first.headers.get(name));
  expect(read).toEqual([`content/${PACKED_ROOT_FILE}`]);
  for (const [path, bytes] of filesOf(['new', 'one', 'two'])) files.set(path, bytes);
  expect(await titlesOf(await ask(QUERY))).toEqual(['new', 'one']);
  expect(kept.size).toBe(2);
  for (const key of kept.keys()) {
    const path = key.slice('http://site.test/content/'.length);
    expect([key.slice(0, -path.length), (await ask(path)).status]).toEqual([
      'http://site.test/content/',
      404,
    ]);
  }
});

test('an answer has the tag that the companion server gives it, and is not sent again to whom has it', async () => {
  const { ask } = edgeOf(filesOf(['one']));
  const response = await ask(QUERY);
  const etag = response.headers.get('etag') ?? '';
  const digest = createHash('sha256')
    .update(await response.text())
    .digest('base64url');
  expect(etag).toBe(`"${digest.slice(0, 27)}"`);
  const again = await ask(QUERY, { headers: { 'if-none-match': `"x", W/${etag}` } });
  expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
});

test('a record is found under the name of its files', async () => {
  const stored = `~${'0'.repeat(32)}`;
  const names = { [`posts/${numberedId(0)}`]: stored };
  const { ask } = edgeOf(filesOf(['one']), { names });
  for (const name of [stored, numberedId(0)]) {
    expect(await titlesOf(await ask(`posts/slug/${name}/?fields=title`)), name).toEqual(['one']);
  }
  expect((await ask(`posts/slug/~${'1'.repeat(32)}/`)).status).toBe(404);
});

test('what depends on the time of asking is not kept, nor is a refusal', async () => {
  const { kept } = openCache();
  const { ask } = edgeOf(filesOf(['one']));
  for (const filter of [
    'published_at:%3Enow-7d',
    'published_at:%3E%6eow-7d',
    '((',
    'title:one%2Bx',
  ]) {
    await ask(`posts/?filter=${filter}`);
  }
  await ask(`posts/${numberedId(9)}/?fields=title`);
  expect(kept.size).toBe(0);
});

test('a cache that fails is none', async () => {
  const fail = () => Promise.reject(new Error('There is no cache.'));
  vi.stubGlobal('caches', { default: { match: fail, put: fail } });
  const { ask } = edgeOf(filesOf(['one']));
  expect(await titlesOf(await ask(QUERY))).toEqual(['one']);
});

test('nothing is read, and no kept answer given, before the content key is checked', async () => {
  openCache();
  const keyHashes = [`${createHash('sha256').update('right').digest('base64url')}=`];
  const { ask, read } = edgeOf(filesOf(['one']), { keyHashes });
  expect((await ask(`${QUERY}&key=right`)).status).toBe(200);
  read.splice(0);
  for (const query of ['', '&key=wrong', '&key=right&key=right', '&filter=((']) {
    const { status, headers } = await ask(`${QUERY}${query}`);
    expect(status, query).toBeOneOf([400, 401, 403]);
    expect(headers.get('cache-control')).toBe('no-store');
  }
  expect(read).toEqual([]);
});

test('`/content/` is the page there, but no page that a host has for every absent file', async () => {
  const askHost = (absent: Response): Promise<Response> =>
    createServeEdge(SITE)(new Request('http://site.test/content/'), {
      fetchFile: async ({ url }) =>
        /\.absent$|404\.json$/.test(url)
          ? absent
          : new Response('<!DOCTYPE html>', { headers: { 'content-type': 'text/html' } }),
      after: () => undefined,
    });
  const page = await askHost(new Response(null, { status: 404 }));
  expect([page.status, await page.text()]).toEqual([200, '<!DOCTYPE html>']);
  expect((await askHost(new Response('Home'))).status).toBe(404);
});

test('a request that hangs holds up no other one', async () => {
  const { ask, read, failing } = edgeOf(filesOf(['one']));
  failing.with = () => new Promise(() => undefined);
  void ask(QUERY);
  await eventually(async () => expect(read.length).toBeGreaterThan(1));
  failing.with = null;
  expect(await titlesOf(await ask(QUERY))).toEqual(['one']);
});

test.each([
  ['Too many subrequests.', /lists\.max/],
  ['Network connection lost.', /^The content could not be read, please try again\.$/],
])('%s is 503 in one sentence', async (thrown, message) => {
  const { ask, failing } = edgeOf(filesOf(['one']));
  failing.with = () => Promise.reject(new Error(thrown));
  const response = await ask(QUERY);
  const { errors } = (await response.json()) as { errors: { message: string }[] };
  expect(errors[0]?.message).toMatch(message);
  const { headers } = response;
  expect([response.status, headers.get('cache-control')]).toEqual([503, 'no-store']);
  expect(headers.get('access-control-allow-origin')).toBe('*');
  failing.with = null;
  expect((await ask(QUERY)).status).toBe(200);
});

test('an answer whose blobs are gone is begun once more, with the root of now', async () => {
  const files = filesOf(['one']);
  const old = files.get(`content/${PACKED_ROOT_FILE}`);
  const { ask, read } = edgeOf(files);
  for (const path of files.keys()) if (!path.endsWith('.json')) files.delete(path);
  expect((await ask(QUERY)).status).toBe(503);
  const roots = read.filter((path) => path.endsWith(PACKED_ROOT_FILE));
  expect(roots).toHaveLength(2);
  for (const [path, bytes] of filesOf(['two'])) files.set(path, bytes);
  const fresh = files.get(`content/${PACKED_ROOT_FILE}`);
  const get = vi.spyOn(files, 'get');
  if (old !== undefined) get.mockImplementationOnce(() => old);
  expect(await titlesOf(await ask(QUERY))).toEqual(['two']);
  expect(fresh).not.toEqual(old);
});

test.each(['{', '{"format":0}', '[]'])('a root that is %s is 503', async (text) => {
  const files = filesOf(['one']);
  files.set(`content/${PACKED_ROOT_FILE}`, new Uint8Array(Buffer.from(text)));
  expect((await edgeOf(files).ask(QUERY)).status).toBe(503);
});

test('blobs are kept up to a bound', async () => {
  const bodies = Array.from({ length: 30 }, (_, at) => `${at}`.repeat(450_000));
  const { ask, read } = edgeOf(filesOf(bodies));
  const pageOf = async (page: number): Promise<number> => {
    read.splice(0);
    await ask(`posts/?limit=1&page=${page}`);
    return read.length;
  };
  const cold = await pageOf(1);
  expect(await pageOf(1)).toBe(1);
  for (let page = 2; page <= 30; page += 1) await pageOf(page);
  expect(await pageOf(30)).toBe(1);
  expect(await pageOf(1)).toBeGreaterThan(1);
  expect(cold).toBeGreaterThan(1);
});

test('an answer carries the tags by which changes are named', async () => {
  const files = filesOf(['one', 'two']);
  const put = (file: string): unknown => files.set(`content/${file}`, new Uint8Array([123, 125]));
  put('posts/slug/caf%C3%A9/index.json');
  put('settings/index.json');
  const { ask } = edgeOf(files, { profile: 'literal' });
  const tagsOf = async (path: string): Promise<string | null> =>
    (await ask(path)).headers.get('cache-tag');
  expect(await tagsOf(`posts/${numberedId(0)}/?fields=title`)).toBe(`post:${numberedId(0)}`);
  expect(await tagsOf(QUERY)).toBe('posts,packed');
  expect(await tagsOf('posts/slug/caf%c3%a9/')).toBe('post:caf%C3%A9');
  expect(await tagsOf('settings/')).toBe('settings');
  expect(await tagsOf('packed/root.json')).toBe('packed');
  expect(await tagsOf('posts/slug/none/')).toBeNull();
});
