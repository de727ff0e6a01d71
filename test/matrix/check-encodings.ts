// Holds a host to what it says of documents that lie compressed: they are sent so to whom takes it, as they are
// to anybody else, and never anything else than the document. Where none lie compressed, none are sent so.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Encoding, sidecarOf } from '../../src/paths/sidecars.ts';
import { unpack } from '../helpers/sidecars.ts';
import type { Answer } from './ask.ts';
import type { HostUnderTest } from './check-host.ts';
import { ODD_SLUG, TEXT_BLOB } from './site.ts';

/** Addresses, with the files that they are answered with. */
const DOCUMENTS = [
  ['/content/posts/?include=tags,authors', 'posts/authors-tags.json'],
  ['/content/settings/', 'settings/index.json'],
  ['/content/search-index/posts/', 'search-index/posts/index.json'],
  [`/content/${TEXT_BLOB}`, TEXT_BLOB],
  ['/content/tags/page-2.json', 'tags/page-2.json'],
  [`/content/posts/slug/${encodeURIComponent(ODD_SLUG)}/?include=authors,tags`, ODD_SLUG],
] as const;

/** Headers that ask for no encoding that a document lies in. */
const PLAIN = [undefined, 'identity', 'gzip;q=0, br;q=0', 'deflate', 'gzip;q=0.000,br; q=0'];

const fileOf = ({ site }: HostUnderTest, name: string): string =>
  name === ODD_SLUG ? `posts/slug/${site.segmentOf(name)}/authors-tags.json` : name;

/** `get` gives the running host; it is called inside of tests only. */
export const checkEncodings = (get: () => HostUnderTest, sends: readonly Encoding[]): void => {
  describe.each(DOCUMENTS)('%s, compressed', (address, name) => {
    const ask = (accept?: string, rest: Readonly<Record<string, string>> = {}, method = 'GET') => {
      const { site, ask: send } = get();
      const path = address.replace(/^\/content/, `${site.basePath}/content`);
      const headers = { ...(accept !== undefined && { 'accept-encoding': accept }), ...rest };
      return send({ method, path, headers });
    };
    const bytes = (): Buffer => readFileSync(join(get().site.content, fileOf(get(), name)));

    test.each(PLAIN)('as it is for "%s"', async (accept) => {
      const answer = await ask(accept);
      expect([answer.status, answer.headers['content-encoding']]).toEqual([200, undefined]);
      expect(answer.body.equals(bytes())).toBe(true);
      expectVary(get(), answer);
    });

    test.each(sends)('%s for who takes it', async (encoding) => {
      for (const accept of [encoding, `deflate, ${encoding};q=0.5`, `${encoding.toUpperCase()}`]) {
        const answer = await ask(accept);
        expect(answer.status).toBe(200);
        const type = answer.headers['content-type']?.toLowerCase();
        const isText = name.endsWith('.txt');
        expect(type).toBe(`${isText ? 'text/plain' : 'application/json'}; charset=utf-8`);
        expect(answer.headers['access-control-allow-origin']).toBe('*');
        expectVary(get(), answer);
        if (get().site.encodings.length === 0) {
          expect(answer.headers['content-encoding']).toBeUndefined();
          continue;
        }
        expect(answer.headers['content-encoding']).toBe(encoding);
        expect(unpack(answer.body, sidecarOf('', encoding)).equals(bytes())).toBe(true);
      }
    });

    test.each(sends)('%s has a tag of its own', async (encoding) => {
      const [plain, packed] = [await ask(), await ask(encoding)];
      const etag = packed.headers.etag ?? '';
      if (get().site.encodings.length > 0) expect(etag).not.toBe(plain.headers.etag);
      const known = await ask(encoding, { 'if-none-match': etag });
      expect([known.status, known.body.length]).toEqual([304, 0]);
      expectVary(get(), known);
      const head = await ask(encoding, {}, 'HEAD');
      expect(head.body).toHaveLength(0);
      // A tag may be weak for as long as its file is of the present second.
      expect(strongTag(head.headers.etag)).toBe(strongTag(etag));
      for (const header of ['content-encoding', 'content-type', 'vary'])
        expect(head.headers[header], header).toBe(packed.headers[header]);
    });
  });

  test('of two encodings the smaller is sent', async () => {
    const { ask, site } = get();
    const path = `${site.basePath}/content/posts/`;
    const { headers } = await ask({ path, headers: { 'accept-encoding': 'gzip, deflate, br' } });
    expect(headers['content-encoding']).toBe(site.encodings.length > 0 ? sends[0] : undefined);
  });

  test('what is not there is the error document as it is', async () => {
    const { ask, site } = get();
    const path = `${site.basePath}/content/posts/slug/none/`;
    const { status, body } = await ask({ path, headers: { 'accept-encoding': 'gzip, br' } });
    expect(status).toBe(404);
    expect(body.equals(readFileSync(join(site.content, '404.json')))).toBe(true);
  });
};

/** Caches must tell the encodings apart, whichever they got first. */
const expectVary = ({ site }: HostUnderTest, { headers }: Answer): void => {
  const names = (headers.vary ?? '').split(',').map((name) => name.trim().toLowerCase());
  if (site.encodings.length > 0)
    expect(names.filter((one) => one === 'accept-encoding')).toHaveLength(1);
};

const strongTag = (etag: string | undefined): string | undefined => etag?.replace(/^W\//, '');
