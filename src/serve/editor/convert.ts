// From one form of a body to what is stored of it. Everything that a document makes go wrong is its fault, and is
// answered.
import { setImmediate } from 'node:timers/promises';
import { toStoredHtml } from '../../publication/documents/html/stored-urls.ts';
import { createSiteUrlResolver } from '../../publication/documents/site-url.ts';
import type { FormatAnswer, FormatRequest } from './editor-formats.ts';
import { keepNodes } from './kept-nodes.ts';
import { type LexicalDocument, parseJson, readLexical } from './lexical-document.ts';
import { hideOpaque, hideWhole } from './opaque-html.ts';
import { preparePictures } from './picture-nodes.ts';
import { readStoredHtml } from './read-html.ts';
import type { Renderers } from './renderers.ts';
import { NO_PICTURES, type Pictures } from './site.ts';
import { toStoredLexical } from './stored-document.ts';

type ConvertTools = {
  readonly renderers: Renderers;
  /** What the renderer threw where nobody waited for it, since it was asked last. */
  readonly takeLostError: () => unknown;
  readonly pictures: Pictures;
};

export const convert = async (
  { from, text, site, stored, pictures = NO_PICTURES }: FormatRequest,
  given: Pick<ConvertTools, 'renderers' | 'takeLostError'>,
): Promise<FormatAnswer> => {
  const tools = { ...given, pictures };
  try {
    switch (from) {
      case 'lexical':
        return await (stored === undefined
          ? convertLexical(text, site, tools)
          : convertKeeping(text, { stored, site, tools }));
      case 'mobiledoc':
        return await convertMobiledoc(text, site, tools);
      case 'html':
        return { lexical: lexicalOf(text, site, tools), html: null, plaintext: null };
    }
  } catch (error) {
    return { fault: `cannot be rendered: ${errorText(error)}` };
  }
};

const convertLexical = async (
  text: string,
  site: FormatRequest['site'],
  tools: ConvertTools,
): Promise<FormatAnswer> => {
  const { nodeTypes } = tools.renderers;
  const read = readLexical(text, nodeTypes);
  if ('fault' in read) return read;
  const { root } = read.document;
  // Ghost's renderer takes no document without a block.
  const isEmpty = root.children?.length === 0;
  const document = isEmpty
    ? { ...read.document, root: { ...root, children: [EMPTY] } }
    : read.document;
  const html = await render(document, site, tools);
  return withHtml(toStoredLexical(document, nodeTypes, site), html);
};

/** Html as it is stored. Pictures of the document get what their html has. */
const render = async (
  document: LexicalDocument,
  site: FormatRequest['site'],
  { renderers, takeLostError, pictures }: ConvertTools,
): Promise<string> => {
  await preparePictures(document, site, pictures);
  const lexical = JSON.stringify(document);
  const html = await renderers.renderLexical(lexical, site.siteUrl, pictures.widths);
  // Ghost's renderer works in a function whose promise it drops.
  await setImmediate();
  const lost = takeLostError();
  if (lost !== undefined) throw lost;
  return toStoredHtml(html, site);
};

const withHtml = (lexical: string, html: string): FormatAnswer => {
  if (html === '') return { lexical, html: null, plaintext: null };
  const { fault, ...body } = readStoredHtml(html);
  return fault === null ? { lexical, ...body } : { fault };
};

type Keeping = {
  readonly stored: NonNullable<FormatRequest['stored']>;
  readonly site: FormatRequest['site'];
  readonly tools: ConvertTools;
};

/** A document with nodes that are unknown here, but stored. */
const convertKeeping = async (
  text: string,
  { stored, site, tools }: Keeping,
): Promise<FormatAnswer> => {
  const { nodeTypes } = tools.renderers;
  const any = { has: () => true };
  const [given, before] = [readLexical(text, any), readLexical(stored.lexical, any)];
  if ('fault' in given) return given;
  if ('fault' in before) return { fault: UNTOLD };
  const kept = keepNodes(before.document, nodeTypes, createSiteUrlResolver(site.siteUrl).text);
  const hidden = JSON.stringify(kept.hide(given.document));
  const read = readLexical(hidden, nodeTypes);
  if ('fault' in read) return read;
  const marked = await render(kept.hide(before.document), site, tools);
  const pieces = readStoredHtml(marked).fault === null ? kept.cut(marked, stored.html) : null;
  if (pieces === null) return { fault: UNTOLD };
  const html = kept.fill(await render(read.document, site, tools), pieces);
  return withHtml(toStoredLexical(kept.show(read.document), nodeTypes, site), html);
};

const UNTOLD =
  'has a node of an unknown type, and the stored html does not tell what it shows: send html with ?source=html';

/** A paragraph without text, which shows nothing. */
const EMPTY = {
  ...{ type: 'paragraph', version: 1, children: [] },
  ...{ direction: null, format: '', indent: 0 },
};

/** As Ghost does since version 6: a Mobiledoc becomes the Lexical document that is stored in its place. */
const convertMobiledoc = (
  text: string,
  site: FormatRequest['site'],
  tools: ConvertTools,
): Promise<FormatAnswer> | FormatAnswer => {
  const parsed = parseJson(text);
  if ('fault' in parsed) return parsed;
  if (!isMobiledoc(parsed.value)) return { fault: 'has no sections' };
  return convertLexical(tools.renderers.lexicalOfMobiledoc(text), site, tools);
};

const isMobiledoc = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'sections' in value &&
  Array.isArray(value.sections) &&
  value.sections.every(Array.isArray);

const lexicalOf = (
  html: string,
  site: FormatRequest['site'],
  { renderers }: ConvertTools,
): string => {
  for (const { html: marked, restore } of [hideOpaque(html), hideWhole(html)]) {
    const read = readLexical(JSON.stringify(renderers.lexicalOfHtml(marked)), renderers.nodeTypes);
    if ('fault' in read) throw new Error(read.fault);
    if (restore(read.document)) return toStoredLexical(read.document, renderers.nodeTypes, site);
  }
  throw new Error('no card stands for the html');
};

const ERROR_UNITS = 120;

/** A fault of the renderer's own, such as "undefined is not iterable", tells nobody what is wrong with the text. */
const errorText = (error: unknown): string =>
  error instanceof TypeError ? 'its parts do not fit together' : ownText(error);

const ownText = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error))
    .replace(/^Minified Lexical error #(\d+);.*/s, 'Lexical refuses it (error $1)')
    .split('\n')[0]
    ?.slice(0, ERROR_UNITS) ?? '';
