// What stands at an address, for a card of the editor: the oEmbed answer of who offers one, else a bookmark, as Ghost
// answers it. The address is an editor's: each host that it leads to is vetted, and time and bytes are bounded.
import { invalid, type PrepressError } from '../../../base/errors.ts';
import type { HttpClient } from '../../../base/net/http-client.ts';
import { type Guard, openFile } from '../../../base/net/open-file.ts';
import { parseJsonObject } from '../../../base/text/json-value.ts';
import { MarkupParser } from '../../../publication/documents/html/markup-reader.ts';
import { readPageFacts } from './page-facts.ts';

type Asked = {
  readonly url: string | undefined;
  /** `bookmark`: nothing else. `embed`: no bookmark. */
  readonly type: string | undefined;
};

type Tools = { readonly http: HttpClient; readonly guard: Guard; readonly timeoutMs?: number };

/** Those whose pages do not name their oEmbed answer to everybody. */
const PROVIDERS: readonly (readonly [pages: RegExp, endpoint: string])[] = [
  [
    /^https:\/\/(?:(?:www|m|music)\.)?youtube\.com\/|^https:\/\/youtu\.be\//,
    'https://www.youtube.com/oembed',
  ],
  [/^https:\/\/(?:www\.|player\.)?vimeo\.com\//, 'https://vimeo.com/api/oembed.json'],
  [/^https:\/\/open\.spotify\.com\//, 'https://open.spotify.com/oembed'],
  [/^https:\/\/(?:www\.|m\.)?soundcloud\.com\//, 'https://soundcloud.com/oembed'],
  [
    /^https:\/\/(?:www\.|mobile\.)?(?:twitter|x)\.com\/[^/]+\/status\//,
    'https://publish.twitter.com/oembed',
  ],
  [/^https:\/\/(?:www\.)?tiktok\.com\//, 'https://www.tiktok.com/oembed'],
  [/^https:\/\/codepen\.io\//, 'https://codepen.io/api/oembed'],
];

const TIMEOUT_MS = 10_000;
const BYTES_MAX = 10 * 1024 * 1024;
/** Of a page: what stands behind is no head. */
const READ_BYTES_MAX = 512 * 1024;

/** Throws VALIDATION where nothing can be shown of the address. */
export const readEmbed = async ({ url: text = '', type }: Asked, tools: Tools): Promise<object> => {
  const url = parsePage(text);
  const read = createReader(tools);
  const endpoint = type === 'bookmark' ? null : findEndpoint(url);
  const known = endpoint && (await readOembed(read, endpoint));
  if (known) return known;
  const page = await read(url);
  const { oembed, ...metadata } = readPageFacts(page.text, page.url);
  const found = type !== 'bookmark' && oembed && (await readOembed(read, new URL(oembed)));
  if (found) return found;
  if (type === 'embed' || metadata.title === null)
    throw nothing(`${url.host} says nothing to show.`);
  return { version: '1.0', type: 'bookmark', url: text, metadata: { url: text, ...metadata } };
};

const parsePage = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw invalid('url', 'url must be an absolute http or https URL.');
};

const nothing = (reason: string): PrepressError =>
  invalid('url', `Nothing can be embedded: ${reason}`);

const findEndpoint = (page: URL): URL | null => {
  const [, endpoint] = PROVIDERS.find(([pages]) => pages.test(page.href)) ?? [];
  const query = new URLSearchParams({ format: 'json', url: page.href });
  return endpoint === undefined ? null : new URL(`${endpoint}?${query}`);
};

type Page = { readonly text: string; readonly url: URL };

/** `url`: where the page is, after redirects. */
type Read = (url: URL) => Promise<Page>;

/** All that one call asks for shares one time. */
const createReader = ({ http, guard, timeoutMs = TIMEOUT_MS }: Tools): Read => {
  const signal = AbortSignal.timeout(timeoutMs);
  return async (url) => {
    const answer = await openFile(http, url, { guard, bytesMax: BYTES_MAX, signal });
    if ('reason' in answer) throw nothing(`${url.host} ${answer.reason}.`);
    const parts: Uint8Array[] = [];
    let bytes = 0;
    try {
      for await (const part of answer.body) {
        parts.push(part);
        bytes += part.length;
        if (bytes > READ_BYTES_MAX) break;
      }
    } catch {
      throw nothing(`${url.host} does not answer in time.`);
    }
    const text = Buffer.concat(parts).subarray(0, READ_BYTES_MAX).toString();
    return { text, url: answer.url };
  };
};

/** Null for what is no answer, or none that shows more than a bookmark does. */
const readOembed = async (read: Read, url: URL): Promise<object | null> => {
  const page = await read(url).catch(() => null);
  const answer = page === null ? null : parseJsonObject(page.text);
  if (answer === null) return null;
  const wanted = WANTED.get(String(answer.type));
  const isTold = (name: string): boolean =>
    Boolean(answer[name]) && /^(?:string|number)$/.test(typeof answer[name]);
  const isWhole = wanted?.every(isTold) ?? false;
  const html = String(answer.html ?? '');
  // WordPress offers an excerpt of every page.
  if (!isWhole || html.includes('wp-embedded-content') || !hasFramesOfWeb(html)) return null;
  return Object.fromEntries(KEPT.filter(isTold).map((name) => [name, answer[name]]));
};

/** Whether each of its frames is one of https, which alone a page over https shows. */
const hasFramesOfWeb = (html: string): boolean => {
  let isWeb = true;
  const onopentag = (name: string, { src = '' }: Readonly<Record<string, string>>): void => {
    isWeb &&= name !== 'iframe' || /^(?:https:)?\/\//i.test(src);
  };
  new MarkupParser({ onopentag }, { decodeEntities: true }).end(html);
  return isWeb;
};

const WANTED: ReadonlyMap<string, readonly string[]> = new Map([
  ['photo', ['version', 'url', 'width', 'height']],
  ['video', ['version', 'html', 'width', 'height']],
  ['rich', ['version', 'html', 'width']],
]);

const KEPT = [
  'version type title html url width height author_name author_url provider_name provider_url',
  'thumbnail_url thumbnail_width thumbnail_height',
].flatMap((line) => line.split(' '));
