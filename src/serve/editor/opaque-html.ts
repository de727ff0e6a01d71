// What Ghost's converter of html would lose stands in the document as an HTML card, byte for byte: blocks for members,
// whose comments it drops, HTML cards with comments in them, and elements that no node of the editor stands for. While it
// works, a mark stands for each.
import { randomUUID } from 'node:crypto';
import { TextCursor } from '../../base/text/text-cursor.ts';
import { findGatedBlocks } from '../../publication/documents/html/gating.ts';
import {
  findOuterElements,
  type OuterElement,
} from '../../publication/documents/html/outer-elements.ts';
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

/** Elements that the editor has no node and no format for. */
const UNKNOWN = new Set(
  [
    'audio video svg math object embed canvas form input select textarea button',
    'details dl style template noscript picture map',
    'abbr bdi bdo big center cite del dfn font ins kbd label mark meter output progress q ruby samp small',
    'strike time tt var wbr',
  ].flatMap((line) => line.split(' ')),
);

/** A name with a hyphen is that of a custom element. */
const isUnknownName = (name: string): boolean => UNKNOWN.has(name) || name.includes('-');

/** Whether it holds what the editor would drop; Ghost's own cards are known. */
const isUnknown = ({ classes, names, hasLinkedPicture, hasSpan }: OuterElement): boolean =>
  (hasLinkedPicture || hasSpan || names.some(isUnknownName)) && !classes.includes('kg-card');

const INLINE = new Set(
  'a abbr b bdi bdo big br cite code del dfn em font i img ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);

/** Whether it stands in a line of text. */
const isInline = (element?: OuterElement): boolean =>
  element !== undefined && INLINE.has(element.names[0] ?? '');

/** Those of the outermost level. Where one stands in a line of text that no element holds, a card would cut the line. */
const findUnknownElements = (html: string): Region[] => {
  const elements = findOuterElements(html);
  const regions: Region[] = [];
  for (const [at, element] of elements.entries()) {
    if (!isUnknown(element)) continue;
    const { start, end } = element;
    const before = html.slice(elements[at - 1]?.end ?? 0, start).trimEnd();
    const after = html.slice(end, elements[at + 1]?.start).trimStart();
    const isFree = ['', '>'].includes(before.slice(-1)) && ['', '<'].includes(after.slice(0, 1));
    const isInLine =
      isInline(element) &&
      ((before === '' && isInline(elements[at - 1])) ||
        (after === '' && isInline(elements[at + 1])));
    if (!isFree || isInLine) return [{ start: 0, end: html.length }];
    regions.push({ start, end });
  }
  return regions;
};

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
