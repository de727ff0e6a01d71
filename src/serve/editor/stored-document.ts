// A Lexical document as it is stored: addresses of the own site with the placeholder, in links and where the cards of
// Ghost's editor have them, and JSON written anew, as Ghost writes it.

import { isJsonObject } from '../../base/text/json-value.ts';
import { toStoredHtml, toStoredUrl } from '../../publication/documents/html/stored-urls.ts';
import type { FormatRequest } from './editor-formats.ts';
import type { LexicalDocument, LexicalNode } from './lexical-document.ts';
import type { UrlMap } from './renderers.ts';

type Own = FormatRequest['site'];
type NodeTypes = { readonly get: (type: string) => UrlMap | null | undefined };

export const toStoredLexical = (
  document: LexicalDocument,
  nodeTypes: NodeTypes,
  site: Own,
): string => {
  const storeNode = (node: LexicalNode): void => {
    const urls = nodeTypes.get(node.type);
    if (urls) storeCard(node, urls, site);
    else if (typeof node.url === 'string') node.url = toStoredUrl(node.url, site);
    node.children?.forEach(storeNode);
  };
  storeNode(document.root);
  return JSON.stringify(document);
};

const storeCard = (card: Record<string, unknown>, urls: UrlMap, site: Own): void => {
  for (const [path, kind] of Object.entries(urls)) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    const holder = names.reduce<unknown>(
      (inner, name) => (isJsonObject(inner) ? inner[name] : undefined),
      card,
    );
    if (!isJsonObject(holder) || !Object.hasOwn(holder, last)) continue;
    holder[last] = stored(holder[last], kind, site);
  }
};

const stored = (value: unknown, kind: string | UrlMap, site: Own): unknown => {
  if (typeof kind !== 'string') {
    if (Array.isArray(value)) {
      for (const item of value) if (isJsonObject(item)) storeCard(item, kind, site);
    }
    return value;
  }
  if (typeof value !== 'string' || value === '') return value;
  if (kind === 'url') return toStoredUrl(value, site);
  const html = toStoredHtml(value, site);
  return kind === 'markdown' ? storeMarkdownLinks(html, site) : html;
};

/** Markdown's `](address)`, beside the elements that it may hold. */
const storeMarkdownLinks = (markdown: string, site: Own): string =>
  markdown
    .split('](')
    .map((part, index) => {
      if (index === 0) return part;
      const end = part.search(/[\s)]/);
      const length = end === -1 ? part.length : end;
      return toStoredUrl(part.slice(0, length), site) + part.slice(length);
    })
    .join('](');
