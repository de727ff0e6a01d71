// Holds a host to what it says of documents that lie compressed: they are sent so to whom takes it, as they are
// to anybody else, and never anything else than the document. Where none lie compressed, none are sent so.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Encoding, sidecarOf } from '../../src/content/paths/sidecars.ts';
import { unpack } from '../helpers/sidecars.ts';
import type { Answer } from './ask.ts';
import { basedOn } from './check-host.ts';
import type { HostUnderTest } from './hosts-of-file.ts';
import { DATA, ODD_SLUG, TEXT_BLOB } from './site.ts';
import type { Compare, Trial } from './trials.ts';

/** Addresses, with the files that they are answered with. */
const DOCUMENTS = [
  ['/content/posts/?include=tags,authors', 'posts/authors-tags.json'],
  ['/content/settings/', 'settings/index.json'],
  ['/content/search-index/posts/', 'search-index/posts/index.json'],
  [`/content/${TEXT_BLOB}`, TEXT_BLOB],
  ['/content/tags/page-2.json', 'tags/page-2.json'],
  [
    `/content/posts/slug/${encodeURIComponent(ODD_SLUG)}/?include=authors,tags`,
    `posts/slug/{${ODD_SLUG}}/authors-tags.json`,
  ],
] as const;

/** Headers that ask for no encoding that a document lies in. */
const PLAIN = [undefined, 'identity', 'gzip;q=0, br;q=0', 'deflate', 'gzip;q=0.000,br; q=0'];

export const encodingTrials = (host: HostUnderTest, sends: readonly Encoding[]): Trial[] => {
  const { title, site, ask } = host;
  const isPacked = site.encodings.length > 0;
  const trial = (request: string, hold: Trial['hold']): Trial => ({ host: title, request, hold });
  const askWith = (path: string, accept?: string, rest = {}, method = 'GET'): Promise<Answer> =>
    ask({
      method,
      path: basedOn(site, path),
      headers: { ...(accept !== undefined && { 'accept-encoding': accept }), ...rest },
    });
  /** Caches must tell the encodings apart, whichever they got first. */
  const holdVary = (compare: Compare, { headers }: Answer): void => {
    const names = (headers.vary ?? '').split(',').map((name) => name.trim().toLowerCase());
    if (isPacked) compare('vary', names.filter((one) => one === 'accept-encoding').length, 1);
  };

  const trialsOf = ([address, name]: (typeof DOCUMENTS)[number]): Trial[] => {
    const bytes = readFileSync(join(site.content, basedOn(site, name)));
    const asItIs = PLAIN.map((accept) =>
      trial(`${address} for "${accept}"`, async (compare) => {
        const answer = await askWith(address, accept);
        compare('status', answer.status, 200);
        compare('content-encoding', answer.headers['content-encoding'], undefined);
        compare('body', answer.body, bytes);
        holdVary(compare, answer);
      }),
    );
    const taken = sends
      .flatMap((one) => [one, `deflate, ${one};q=0.5`, one.toUpperCase()].map((by) => [one, by]))
      .map(([encoding = '', accept = '']) =>
        trial(`${address} for "${accept}"`, async (compare) => {
          const { status, headers, body } = await askWith(address, accept);
          const type = `${name.endsWith('.txt') ? 'text/plain' : 'application/json'}; charset=utf-8`;
          compare('status', status, 200);
          compare('content-type', headers['content-type']?.toLowerCase(), type);
          compare('allow-origin', headers['access-control-allow-origin'], '*');
          holdVary(compare, { status, headers, body });
          const sent = isPacked ? encoding : undefined;
          compare('content-encoding', headers['content-encoding'], sent);
          if (isPacked) compare('body', unpack(body, sidecarOf('', encoding as Encoding)), bytes);
        }),
      );
    const tagged = sends.map((encoding) =>
      trial(`${address} in ${encoding}, known`, async (compare) => {
        const [plain, packed] = [await askWith(address), await askWith(address, encoding)];
        const etag = packed.headers.etag ?? '';
        if (isPacked) compare('a tag of its own', etag !== plain.headers.etag, true);
        const known = await askWith(address, encoding, { 'if-none-match': etag });
        compare('status, bytes', [known.status, known.body.length], [304, 0]);
        holdVary(compare, known);
        const head = await askWith(address, encoding, {}, 'HEAD');
        compare('bytes of HEAD', head.body.length, 0);
        // A tag may be weak for as long as its file is of the present second.
        compare('etag of HEAD', strongTag(head.headers.etag), strongTag(etag));
        for (const header of ['content-encoding', 'content-type', 'vary'])
          compare(`${header} of HEAD`, head.headers[header], packed.headers[header]);
      }),
    );
    return [...asItIs, ...taken, ...tagged];
  };

  return [
    ...DOCUMENTS.flatMap(trialsOf),
    ...[undefined, 'gzip', 'br'].map((accept) =>
      trial(`/content/${DATA} beside archives, for "${accept}"`, async (compare) => {
        const { status, headers, body } = await askWith(`/content/${DATA}`, accept);
        compare('status', status, 200);
        compare('content-encoding', headers['content-encoding'], undefined);
        compare('body', body.toString(), readFileSync(join(site.content, DATA), 'utf8'));
      }),
    ),
    trial('/content/posts/ in the smaller of two', async (compare) => {
      const { headers } = await askWith('/content/posts/', 'gzip, deflate, br');
      compare('content-encoding', headers['content-encoding'], isPacked ? sends[0] : undefined);
    }),
    trial('/content/posts/slug/none/ for "gzip, br"', async (compare) => {
      const { status, body } = await askWith('/content/posts/slug/none/', 'gzip, br');
      compare('status', status, 404);
      compare('body', body, readFileSync(join(site.content, '404.json')));
    }),
  ];
};

const strongTag = (etag: string | undefined): string | undefined => etag?.replace(/^W\//, '');
