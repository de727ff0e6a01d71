// Takes out of a body what an anonymous reader may not see: the part behind the members-only marker,
// the whole body of a post without one, and blocks that are gated for members. What cannot be
// understood is withheld: every doubt closes the gate. Each text is read once, from its start to its end.
import { DIGIT, LETTER, QUOTE, WHITE_SPACE } from '../../../base/text/character-classes.ts';
import { TextCursor } from '../../../base/text/text-cursor.ts';

export type Visibility = 'public' | 'members' | 'paid' | 'tiers';

export type GatedBody = {
  readonly html: string;
  /** whole: nothing was taken out; cut: a part was; withheld: no part of the body is shown. */
  readonly state: 'whole' | 'cut' | 'withheld';
};

const MEMBERS_ONLY = '<!--members-only-->';
const BLOCK_BEGIN = '<!--kg-gated-block:begin ';
const BLOCK_END = '<!--kg-gated-block:end-->';
const COMMENT_START = '<!--';
const COMMENT_END = '-->';
const COLON = 0x3a;
const HYPHEN = 0x2d;
const UNDERSCORE = 0x5f;

/** Anything but the three open words is shown, and closed, as `tiers`. */
export const readVisibility = (stored: unknown): Visibility =>
  stored === 'public' || stored === 'members' || stored === 'paid' ? stored : 'tiers';

export const gateForAnonymous = (html: string, visibility: Visibility): GatedBody => {
  if (visibility === 'public') return removeGatedBlocks(html, 'whole');
  const marker = findMembersOnly(html);
  if (marker === -1) return { html: '', state: 'withheld' };
  return removeGatedBlocks(html.slice(0, marker), 'cut');
};

/**
 * Where the part for members begins, or -1 of a body that is wholly for them. Only the exact mark shows what stands before
 * it. A comment that resembles it, closed or not, may begin the part for members earlier.
 */
export const findMembersOnly = (html: string): number => {
  const exact = html.indexOf(MEMBERS_ONLY);
  return exact === -1 ? -1 : findResemblance(html, exact);
};

/** The first comment that reads like the mark, up to the exact one. */
const findResemblance = (html: string, exact: number): number => {
  const cursor = new TextCursor(html);
  while (cursor.skipTo(COMMENT_START) && cursor.at < exact) {
    const start = cursor.at;
    cursor.skip(COMMENT_START.length);
    cursor.skipWhile(WHITE_SPACE);
    if (!cursor.take('members')) continue;
    while (isJoint(cursor)) cursor.skip(1);
    if (cursor.take('only') && !cursor.isAt(LETTER | DIGIT)) return start;
  }
  return exact;
};

const isJoint = (cursor: TextCursor): boolean =>
  cursor.peek() === HYPHEN || cursor.peek() === UNDERSCORE || cursor.isAt(WHITE_SPACE);

// Blocks are not nested by the editor; where they are, the text is shown only if every block around
// it is. A block that never ends withholds everything from its beginning on.
const removeGatedBlocks = (html: string, untouched: 'whole' | 'cut'): GatedBody => {
  const cursor = new TextCursor(html);
  const openBlocks: boolean[] = [];
  let hiddenBlocks = 0;
  let shown = '';
  let shownBeforeBlocks = 0;
  let position = 0;
  let hasBlocks = false;
  for (let mark = findBlockMark(cursor); mark !== null; mark = findBlockMark(cursor)) {
    hasBlocks = true;
    if (hiddenBlocks === 0) shown += html.slice(position, mark.start);
    if (mark.begins) {
      if (openBlocks.length === 0) shownBeforeBlocks = shown.length;
      const settings = readSettings(cursor);
      if (settings === null) return { html: shown.slice(0, shownBeforeBlocks), state: 'cut' };
      const isShown = html.startsWith(BLOCK_BEGIN, mark.start) && isShownToAnonymous(settings);
      openBlocks.push(isShown);
      if (!isShown) hiddenBlocks += 1;
    } else if (openBlocks.pop() === false) hiddenBlocks -= 1;
    position = cursor.at;
  }
  if (!hasBlocks) return { html, state: untouched };
  if (openBlocks.length > 0) return { html: shown.slice(0, shownBeforeBlocks), state: 'cut' };
  return { html: shown + html.slice(position), state: 'cut' };
};

/** Where the outermost blocks lie, with their comments. One that never ends goes to the end of the text. */
export const findGatedBlocks = (html: string): (readonly [start: number, end: number])[] => {
  const cursor = new TextCursor(html);
  const blocks: (readonly [number, number])[] = [];
  let depth = 0;
  let begun = 0;
  for (let mark = findBlockMark(cursor); mark !== null; mark = findBlockMark(cursor)) {
    if (mark.begins) {
      if (depth === 0) begun = mark.start;
      depth += 1;
      if (readSettings(cursor) === null) break;
    } else if (depth > 0) {
      depth -= 1;
      if (depth === 0) blocks.push([begun, cursor.at]);
    }
  }
  return depth === 0 ? blocks : [...blocks, [begun, html.length]];
};

type BlockMark = { readonly start: number; readonly begins: boolean };

/**
 * The next comment that begins a block, up to its settings, or ends one; the cursor moves past it. What resembles a begin
 * begins a block, too; only the exact end ends one.
 */
const findBlockMark = (cursor: TextCursor): BlockMark | null => {
  while (cursor.skipTo(COMMENT_START)) {
    const start = cursor.at;
    if (cursor.text.startsWith(BLOCK_END, start)) {
      cursor.skip(BLOCK_END.length);
      return { start, begins: false };
    }
    cursor.skip(COMMENT_START.length);
    cursor.skipWhile(WHITE_SPACE);
    if (!cursor.take('kg-gated-block')) continue;
    cursor.skipWhile(WHITE_SPACE);
    if (!cursor.take(':')) continue;
    cursor.skipWhile(WHITE_SPACE);
    if (cursor.take('begin') && !cursor.isAt(LETTER | DIGIT)) return { start, begins: true };
  }
  return null;
};

/**
 * The text up to the end of the comment. Null of a comment without an end, without a text, or with another one inside it:
 * where its block ends is a matter of reading, so it never does.
 */
const readSettings = (cursor: TextCursor): string | null => {
  const start = cursor.at;
  if (!cursor.skipTo(COMMENT_END)) return null;
  const settings = cursor.textFrom(start).trim();
  cursor.skip(COMMENT_END.length);
  return settings === '' || settings.includes(COMMENT_START) ? null : settings;
};

/**
 * Settings are pairs of a key, a colon and a value without spaces, which may be quoted; other words count for nothing. The
 * value stands right behind its colon. A quotation mark anywhere else closes the block.
 */
const isShownToAnonymous = (settings: string): boolean => {
  if (/[\r\n]/.test(settings)) return false;
  const cursor = new TextCursor(settings);
  let isShown = false;
  while (!cursor.isAtEnd) {
    if (cursor.isAt(QUOTE)) return false;
    const key = readKey(cursor);
    if (key === '') cursor.skip(1);
    if (key === '' || cursor.peek() !== COLON) continue;
    cursor.skip(1);
    const value = readValue(cursor);
    if (value === null) return false;
    if (key !== 'nonMember') continue;
    if (value !== 'true') return false;
    isShown = true;
  }
  return isShown;
};

const readKey = (cursor: TextCursor): string => {
  const start = cursor.at;
  while (cursor.isAt(LETTER | DIGIT) || cursor.peek() === UNDERSCORE) cursor.skip(1);
  return cursor.textFrom(start);
};

/** Null of a quotation that holds a space or another quotation mark, or does not end. */
const readValue = (cursor: TextCursor): string | null => {
  const quote = cursor.isAt(QUOTE) ? cursor.peek() : null;
  if (quote !== null) cursor.skip(1);
  const start = cursor.at;
  cursor.skipUntil(WHITE_SPACE | QUOTE);
  const value = cursor.textFrom(start);
  if (quote === null) return value;
  if (cursor.peek() !== quote) return null;
  cursor.skip(1);
  return value;
};
