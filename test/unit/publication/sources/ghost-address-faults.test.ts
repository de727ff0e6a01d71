// What goes wrong while a site is read: it changes, asks for patience, refuses, or is no Ghost.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openGhostAddress } from '../../../../src/publication/sources/ghost-address/source.ts';
import type { RawRow } from '../../../../src/publication/sources/source.ts';
import {
  CONTENT_KEY,
  type ContentRecord,
  type ContentServer,
  type ContentSite,
  send,
  startContentSite,
} from '../../../helpers/content-site.ts';

const idOf = (number: number): string => `6${number.toString(16).padStart(23, '0')}`;

const post = (number: number): ContentRecord => ({
  id: idOf(number),
  uuid: `${number}`,
  title: `Post ${number}`,
  slug: `post-${number}`,
  html: `<p>${number}</p>`,
  plaintext: `${number}`,
  visibility: 'public',
  updated_at: '2026-01-01T00:00:00.000+00:00',
  tags: [],
  authors: [],
  tiers: [],
});

const siteOf = (posts: number): ContentSite => ({
  settings: { title: 'Site', url: 'https://site.test/', version: '6.65' },
  posts: Array.from({ length: posts }, (_, index) => post(index + 1)),
  pages: [],
  tags: [],
  authors: [],
  tiers: [],
});

let server: ContentServer;
const sleep = vi.fn(async (_ms: number) => undefined);
beforeEach(async () => {
  sleep.mockClear();
  server = await startContentSite(siteOf(250));
});
afterEach(() => server.close());

type Options = {
  readonly address?: string;
  readonly key?: string;
  readonly bytesMax?: number;
  readonly idleTimeoutMs?: number;
  readonly answerMsMax?: number;
};

const readPosts = async (options: Options = {}): Promise<RawRow[]> => {
  const { address = server.url, key = CONTENT_KEY, ...rest } = options;
  const source = openGhostAddress(address, { key, sleep, ...rest });
  try {
    const state = await source.open();
    const read: RawRow[] = [];
    for await (const { table, rows } of state.rows([{ table: 'posts' }, { table: 'tags' }])) {
      if (table === 'posts') read.push(...(rows as RawRow[]));
    }
    return read;
  } finally {
    await source.close();
  }
};

const sorted = (rows: readonly RawRow[]) =>
  rows
    .map(({ id, title, html }) => [id, title, html])
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));

const expectState = (rows: readonly RawRow[]): void => {
  expect(sorted(rows)).toEqual(sorted(server.site.posts as readonly RawRow[]));
};

/** Runs `change` while the request with that number is answered. */
const changeAt = (at: number, change: () => void): void => {
  server.intercept = ({ count }) => {
    if (count === at) change();
    return false;
  };
};

describe('a site that changes while it is read', () => {
  test('is read page by page, and whole', async () => {
    expectState(await readPosts());
    expect(server.asked.filter((asked) => /[?&]limit=100/.test(asked)).length).toBeGreaterThan(5);
  });

  // Requests: settings; twice settings, three pages of the list, pages, tags, authors, tiers; then bodies.
  test.each([
    ['published, before pages that were read', 4, () => void server.site.posts.unshift(post(0))],
    ['deleted from a page that was read', 5, () => void server.site.posts.splice(3, 1)],
    ['deleted while bodies are read', 19, () => void server.site.posts.splice(240, 1)],
    ['edited after its body was read', 20, () => edit(3)],
    ['edited before its body is read', 8, () => edit(200)],
    ['deleted, and another published', 4, () => void server.site.posts.splice(3, 1, post(900))],
  ])('is read again: a post is %s', async (_what, at, change) => {
    changeAt(at, change);
    expectState(await readPosts());
  });

  const edit = (index: number): void => {
    const updated = { title: 'Edited', html: '<p>Edited</p>', updated_at: '2026-01-02T00:00:00Z' };
    Object.assign(server.site.posts[index] ?? {}, updated);
  };

  test('has rowHashes of one state, without its bodies', async () => {
    changeAt(4, () => void server.site.posts.splice(3, 1, post(900)));
    const source = openGhostAddress(server.url, { key: CONTENT_KEY });
    const state = await source.open();
    const ids: string[] = [];
    for await (const { rowHashes } of state.rowHashes([{ table: 'posts' }])) {
      ids.push(...rowHashes.map(({ id }) => id));
    }
    await source.close();
    expect(ids).toEqual(server.site.posts.map(({ id }) => id).sort());
  });

  test('too fast is given up', async () => {
    server.intercept = ({ count, url }) => {
      if (url.pathname.endsWith('/tags/')) {
        Object.assign(server.site.settings, { title: `Site ${count}` });
      }
      return false;
    };
    await expect(readPosts()).rejects.toMatchObject({ code: 'SOURCE_BUSY' });
  });
});

describe('a request that fails', () => {
  test('is made again when the site asks for a pause, after that pause', async () => {
    server.intercept = ({ count }, response) => {
      if (count !== 5) return false;
      response.setHeader('retry-after', '7');
      send(response, 429, {});
      return true;
    };
    expectState(await readPosts());
    expect(sleep.mock.calls).toEqual([[7_000]]);
  });

  test('is made again a few times, ever later, when the site fails or hangs up', async () => {
    server.intercept = ({ count }, response) => {
      if (count === 6) send(response, 503, {});
      if (count === 7) response.destroy();
      if (count === 8) {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('{"posts":');
        response.socket?.destroySoon();
      }
      return [6, 7, 8].includes(count);
    };
    expectState(await readPosts());
    expect(sleep.mock.calls).toEqual([[1_000], [2_000], [4_000]]);
  });

  test('again and again is told, as is one that would wait for too long', async () => {
    server.intercept = (_request, response) => {
      send(response, 502, {});
      return true;
    };
    await expect(readPosts()).rejects.toMatchObject({
      code: 'SOURCE_BUSY',
      hint: 'Try again later; the log of that server says what went wrong.',
    });
    expect(sleep).toHaveBeenCalledTimes(4);
    server.intercept = ({ count }, response) => {
      if (count < 12) return false;
      response.setHeader('retry-after', '86400');
      send(response, 429, {});
      return true;
    };
    await expect(readPosts()).rejects.toMatchObject({
      code: 'SOURCE_BUSY',
      message: expect.stringContaining('429'),
      hint: 'Try again in some minutes.',
    });
    expect(sleep).not.toHaveBeenCalledWith(86_400_000);
  });

  test('in the middle, for good, is a lost source', async () => {
    server.intercept = ({ count }, response) => {
      if (count < 6) return false;
      response.destroy();
      return true;
    };
    await expect(readPosts()).rejects.toMatchObject({ code: 'SOURCE_LOST' });
  });

  test('for its size is made again for fewer posts', async () => {
    for (const one of server.site.posts) one.html = `<p>${'x'.repeat(2_000)}</p>`;
    expectState(await readPosts({ bytesMax: 64_000 }));
    Object.assign(server.site.posts[7] ?? {}, { html: 'y'.repeat(70_000) });
    await expect(readPosts({ bytesMax: 64_000 })).rejects.toMatchObject({
      code: 'SOURCE_TOO_LARGE',
    });
  });
});

describe('an answer that has no end', () => {
  test.each([
    ['that always has another page', '', (page: number) => ({ page, pages: page + 1 })],
    ['of more pages than any site has', '', (page: number) => ({ page, pages: 10_000_000 })],
    ['that repeats a page', 'repeats itself', () => ({ page: 1, pages: 90_000, total: 9_000_000 })],
  ])('a list %s is given up', async (_what, says, paginationOf) => {
    server.intercept = ({ url }, response) => {
      if (!url.pathname.endsWith('/posts/')) return false;
      const page = Number(url.searchParams.get('page'));
      const pagination = { total: 1_000, next: page + 1, ...paginationOf(page) };
      send(response, 200, { posts: [post(pagination.page)], meta: { pagination } });
      return true;
    };
    const message = expect.stringContaining(says);
    await expect(readPosts()).rejects.toMatchObject({ code: 'SOURCE_NOT_GHOST', message });
    expect(server.asked.length).toBeLessThan(10);
  });

  test('a request that nobody answers is given up, and not made again', async () => {
    server.intercept = () => true;
    await expect(readPosts({ idleTimeoutMs: 300 })).rejects.toMatchObject({
      code: 'SOURCE_UNREACHABLE',
      message: `${server.url} does not answer.`,
    });
    expect(server.asked).toHaveLength(1);
  });

  test('an answer that comes byte by byte is given up', async () => {
    let writing: NodeJS.Timeout | undefined;
    server.intercept = (_request, response) => {
      writing ??= setInterval(() => response.write(' '), 20);
      return true;
    };
    await expect(readPosts({ answerMsMax: 300 })).rejects.toMatchObject({ code: 'SOURCE_LOST' });
    clearInterval(writing);
    expect(server.asked).toHaveLength(1);
  });
});

const settingsOf = (version: string): string =>
  JSON.stringify({ settings: { url: 'https://a.test/', version } });

describe('an address that cannot be read', () => {
  const told = async (options: Options = {}): Promise<Error & { code: string }> => {
    const error = await readPosts(options).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toHaveProperty('code');
    expect((error as Error).message).not.toContain(options.key ?? CONTENT_KEY);
    return error as Error & { code: string };
  };

  test('has another key', async () => {
    expect(await told({ key: 'b'.repeat(26) })).toMatchObject({ code: 'SOURCE_KEY_REFUSED' });
    expect(sleep).not.toHaveBeenCalled();
  });

  test('redirects elsewhere, and the key does not go there', async () => {
    const other = await startContentSite(siteOf(1));
    server.intercept = ({ url }, response) => {
      response.writeHead(301, { location: `${other.url}/blog${url.pathname}${url.search}` });
      response.end();
      return true;
    };
    const error = await told();
    expect(error.code).toBe('SOURCE_UNREACHABLE');
    expect(error.message).toContain(`redirects to ${other.url}/blog; name that address instead`);
    expect(error).toHaveProperty('hint', '');
    expect(other.asked).toEqual([]);
    await other.close();
  });

  test.each([
    ['answers with a page', 200, '<html>', 'SOURCE_NOT_GHOST'],
    ['answers with other JSON', 200, '{"ok":true}', 'SOURCE_NOT_GHOST'],
    ['has nothing there', 404, 'no', 'SOURCE_NOT_GHOST'],
    ['has a firewall', 403, '<html>', 'SOURCE_UNREACHABLE'],
    ['is a Ghost 4', 200, settingsOf('4.48'), 'SOURCE_VERSION'],
    ['is a Ghost 7', 200, settingsOf('7.1'), 'SOURCE_VERSION'],
  ])('%s', async (_what, status, body, code) => {
    server.intercept = (_request, response) => {
      response.writeHead(status);
      response.end(body);
      return true;
    };
    expect((await told()).code).toBe(code);
  });

  test('is not there, is not known, or speaks no TLS', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    expect(await told({ address: `http://127.0.0.1:${port}` })).toMatchObject({
      code: 'SOURCE_UNREACHABLE',
      message: `http://127.0.0.1:${port} cannot be reached (ECONNREFUSED).`,
    });
    const secure = server.url.replace('http:', 'https:');
    expect((await told({ address: secure })).message).toContain(
      `no secure connection to ${secure}`,
    );
  });

  test.each([
    ['without a key', 'https://site.test', ''],
    ['with a key of another kind', 'https://site.test', 'c'.repeat(64)],
    ['with a password', 'https://me:secret@site.test', CONTENT_KEY],
  ])('is refused at once %s', (_what, address, key) => {
    expect(() => openGhostAddress(address, { key })).toThrow(
      expect.objectContaining({ code: 'USAGE' }),
    );
  });

  test('may name the key, and any address below the site', async () => {
    for (const path of ['', '/', '/ghost/', '/ghost/api/content/', '/ghost/#/dashboard']) {
      const url = new URL(`${server.url}${path}`);
      url.searchParams.set('key', CONTENT_KEY);
      const source = openGhostAddress(url.href);
      expect(source.name).toBe(server.url);
      await (await source.open()).close();
      await source.close();
    }
  });
});
