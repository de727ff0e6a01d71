// What the head of an HTML page elsewhere says of it: for a bookmark, and where its oEmbed answer is.
import { MarkupParser } from '../../../publication/documents/html/markup-reader.ts';

export type PageFacts = {
  readonly title: string | null;
  readonly description: string | null;
  readonly author: string | null;
  readonly publisher: string | null;
  /** Addresses, absolute. */
  readonly thumbnail: string | null;
  readonly icon: string | null;
  readonly oembed: string | null;
};

const TEXT_MAX = 500;

export const readPageFacts = (html: string, base: URL): PageFacts => {
  const metas = new Map<string, string>();
  const links = new Map<string, string>();
  let title: string | null = null;
  let isTitle = false;
  const parser = new MarkupParser(
    {
      onopentag: (name, attributes) => {
        parser.open.set(name, (parser.open.get(name) ?? 0) + 1);
        const key = attributes.property ?? attributes.name;
        if (name === 'meta' && key && attributes.content) addNew(metas, key, attributes.content);
        if (name === 'link' && attributes.href) {
          const { rel = '', type = '' } = attributes;
          addNew(links, type === OEMBED ? OEMBED : rel, attributes.href);
        }
        isTitle = name === 'title' && title === null;
      },
      ontext: (text) => {
        if (isTitle) title = (title ?? '') + text;
      },
      onclosetag: () => {
        isTitle = false;
      },
    },
    { decodeEntities: true },
  );
  parser.end(html);
  const first = (names: string): string | null =>
    words(
      names
        .split(' ')
        .map((name) => metas.get(name))
        .find(Boolean) ?? null,
    );
  const link = (names: readonly string[]): string | null =>
    address(names.map((name) => links.get(name)).find(Boolean), base);
  return {
    title: first('og:title twitter:title') ?? words(title),
    description: first('og:description twitter:description description'),
    author: first('author article:author twitter:creator'),
    publisher: first('og:site_name application-name'),
    thumbnail: address(metas.get('og:image') ?? metas.get('twitter:image'), base),
    icon: link(['apple-touch-icon', 'icon', 'shortcut icon']) ?? new URL('/favicon.ico', base).href,
    oembed: link([OEMBED]),
  };
};

const OEMBED = 'application/json+oembed';

const addNew = (map: Map<string, string>, name: string, value: string): void => {
  const key = name.toLowerCase();
  if (!map.has(key)) map.set(key, value);
};

const words = (text: string | null): string | null =>
  text?.replace(/\s+/g, ' ').trim().slice(0, TEXT_MAX) || null;

/** Of the web alone. */
const address = (text: string | undefined, base: URL): string | null => {
  if (text === undefined || !URL.canParse(text, base.href)) return null;
  const url = new URL(text, base);
  return /^https?:$/.test(url.protocol) ? url.href : null;
};
