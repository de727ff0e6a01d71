// What Ghost's converter of html would lose stands in the document as an HTML card, byte for byte: blocks for members,
// whose comments it drops, HTML cards with comments in them, and elements that no node of the editor stands for. While it
// works, a mark stands for each.
import { randomUUID } from 'node:crypto';
import { TextCursor } from '../../base/text/text-cursor.ts';
import { findGatedBlocks } from '../../publication/documents/html/gating.ts';
import { findOuterElements } from '../../publication/documents/html/outer-elements.ts';
import { HTML_CARD } from './drop-scripts.ts';
import type { LexicalDocument, LexicalNode } from './lexical-document.ts';

export type OpaqueHtml = {
  /** With a mark for each part that is to stay. */
  readonly html: string;
  /** Puts the parts into the document that was made of it; false where a mark was lost. */
  readonly restore: (document: LexicalDocument) => boolean;
};

type Region = {
  readonly start: number;
  readonly end: number;
  /** Of a card: what is in it. */
  readonly content?: string | undefined;
};
type Part = { readonly mark: string; readonly whole: string; readonly content: string };

export const hideOpaque = (html: string): OpaqueHtml => {
  const nonce = randomUUID();
  const parts = new Map<number, Part>();
  let count = 0;
  /** With the parts that are marked in it, which have no place of their own then. */
  const shown = (text: string): string =>
    text.replace(MARKED, (found, of: string, at: string) => {
      if (of !== nonce) return found;
      const part = parts.get(Number(at));
      parts.delete(Number(at));
      return part?.whole ?? '';
    });
  const hide = (text: string, regions: readonly Region[]): string => {
    let hidden = '';
    let at = 0;
    for (const { start, end, content } of regions) {
      const whole = shown(text.slice(start, end));
      const mark = `<div data-prepress="${nonce}-${count}"></div>`;
      parts.set(count, { mark, whole, content: content ?? whole });
      count += 1;
      hidden += `${text.slice(at, start)}${CARD_BEGIN}${mark}${CARD_END}`;
      at = end;
    }
    return hidden + text.slice(at);
  };
  const cards = hide(html, findRegions(html));
  const marked = hide(cards, findUnknownElements(cards));
  return { html: marked, restore: (document) => restoreParts(document, [...parts.values()]) };
};

export const hideWhole = (html: string): OpaqueHtml => {
  const mark = `<div data-prepress="${randomUUID()}"></div>`;
  return {
    html: `${CARD_BEGIN}${mark}${CARD_END}`,
    restore: (document) => restoreParts(document, [{ mark, whole: html, content: html }]),
  };
};

const CARD_BEGIN = '<!--kg-card-begin: html-->';
const CARD_END = '<!--kg-card-end: html-->';
const MARKED =
  /<!--kg-card-begin: html--><div data-prepress="([0-9a-f-]{36})-(\d{1,9})"><\/div><!--kg-card-end: html-->/g;

/** HTML cards and gated blocks in their order; those that overlap are one. */
const findRegions = (html: string): Region[] => {
  const blocks = findGatedBlocks(html).map(([start, end]): Region => ({ start, end }));
  const found = [...findCards(html), ...blocks].sort(
    (one, other) => one.start - other.start || other.end - one.end,
  );
  const regions: Region[] = [];
  for (const region of found) {
    const last = regions.at(-1);
    if (last === undefined || region.start >= last.end) regions.push(region);
    else if (region.end > last.end)
      regions[regions.length - 1] = { ...last, end: region.end, content: undefined };
  }
  return regions;
};

const findCards = (html: string): Region[] => {
  const cursor = new TextCursor(html);
  const cards: Region[] = [];
  for (;;) {
    const start = HTML_CARD.open(cursor);
    const from = cursor.at;
    const to = start === null ? null : HTML_CARD.close(cursor);
    if (start === null || to === null) return cards;
    // The renderer begins and ends each with a new line.
    const content = html.slice(from, to).replace(/^\n|\n$/g, '');
    cards.push({ start, end: cursor.at, content });
  }
};

/** Elements that the editor has no node for. */
const UNKNOWN = new Set(
  [
    'audio video svg math object embed canvas form input select textarea button',
    'details dl style template noscript picture map',
  ].flatMap((line) => line.split(' ')),
);

/** Elements of the outermost level that hold one of those, or a picture in a link; Ghost's own cards are known. */
const findUnknownElements = (html: string): Region[] =>
  findOuterElements(html)
    .filter(({ classes, names, hasLinkedPicture }) => {
      const isUnknown = hasLinkedPicture || names.some((name) => UNKNOWN.has(name));
      return isUnknown && !classes.includes('kg-card');
    })
    .map(({ start, end }) => ({ start, end }));

const restoreParts = ({ root }: LexicalDocument, parts: readonly Part[]): boolean => {
  const byMark = new Map(parts.map(({ mark, content }) => [mark, content]));
  const waiting: LexicalNode[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const mark = node.type === 'html' ? String(node.html) : '';
    const content = byMark.get(mark);
    if (content !== undefined) {
      node.html = content;
      byMark.delete(mark);
    }
    for (const child of node.children ?? []) waiting.push(child);
  }
  return byMark.size === 0;
};
