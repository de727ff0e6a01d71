// From one form of a body to what is stored of it. Everything that a document makes go wrong is its fault, and is
// answered.
import { setImmediate } from 'node:timers/promises';
import type { FormatAnswer, FormatRequest } from '../admin/editor-formats.ts';
import { readStoredHtml } from '../admin/read-html.ts';
import { toStoredHtml } from '../admin/stored-urls.ts';
import { parseJson, readLexical } from './lexical-document.ts';
import type { Renderers } from './renderers.ts';
import { toStoredLexical } from './stored-document.ts';

export type ConvertTools = {
  readonly renderers: Renderers;
  /** What the renderer threw where nobody waited for it, since it was asked last. */
  readonly takeLostError: () => unknown;
};

export const convert = async (
  { from, text, site }: FormatRequest,
  tools: ConvertTools,
): Promise<FormatAnswer> => {
  try {
    switch (from) {
      case 'lexical':
        return await convertLexical(text, site, tools);
      case 'mobiledoc':
        return await convertMobiledoc(text, site, tools);
      case 'html':
        return { lexical: lexicalOf(text, site, tools), html: null, plaintext: null };
    }
  } catch (error) {
    return { fault: `cannot be rendered: ${sayError(error)}` };
  }
};

const convertLexical = async (
  text: string,
  site: FormatRequest['site'],
  { renderers, takeLostError }: ConvertTools,
): Promise<FormatAnswer> => {
  const read = readLexical(text, renderers.nodeTypes);
  if ('fault' in read) return read;
  const html = await renderers.renderLexical(text, site.siteUrl);
  // Ghost's renderer works in a function whose promise it drops.
  await setImmediate();
  const lost = takeLostError();
  if (lost !== undefined) throw lost;
  const lexical = toStoredLexical(read.document, renderers.nodeTypes, site);
  if (html === '') return { lexical, html: null, plaintext: null };
  const { fault, ...body } = readStoredHtml(toStoredHtml(html, site));
  return fault === null ? { lexical, ...body } : { fault };
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
  Array.isArray(value.sections);

const lexicalOf = (
  html: string,
  site: FormatRequest['site'],
  { renderers }: ConvertTools,
): string => {
  const read = readLexical(JSON.stringify(renderers.lexicalOfHtml(html)), renderers.nodeTypes);
  if ('fault' in read) throw new Error(read.fault);
  return toStoredLexical(read.document, renderers.nodeTypes, site);
};

const ERROR_UNITS = 120;

const sayError = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0]?.slice(0, ERROR_UNITS) ??
  '';
