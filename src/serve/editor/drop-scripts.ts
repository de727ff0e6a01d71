// Removes script elements from html that is saved, as Ghost's editor does; what stands in an html card is
// kept. This normalises; it is no security border, because whoever holds an admin key may inject code anyhow.
import {
  DIGIT,
  GREATER_THAN,
  LESS_THAN,
  LETTER,
  WHITE_SPACE,
} from '../../base/text/character-classes.ts';
import { TextCursor } from '../../base/text/text-cursor.ts';
import { editOutside, type FindDelimiter } from '../../publication/documents/html/html-regions.ts';

const UNDERSCORE = 0x5f;

/** `<!--kg-card-begin: html-->`, with white space between its parts. */
const cardMark =
  (name: string): FindDelimiter =>
  (cursor) => {
    while (cursor.skipTo('<!--')) {
      const start = cursor.at;
      cursor.skip('<!--'.length);
      cursor.skipWhile(WHITE_SPACE);
      if (!cursor.take(name)) continue;
      cursor.skipWhile(WHITE_SPACE);
      if (!cursor.take('html')) continue;
      cursor.skipWhile(WHITE_SPACE);
      if (cursor.take('-->')) return start;
    }
    return null;
  };

export const HTML_CARD = { open: cardMark('kg-card-begin:'), close: cardMark('kg-card-end:') };

export const dropScripts = (html: string): string => editOutside(html, HTML_CARD, dropFrom);

const dropFrom = (html: string): string => {
  const cursor = new TextCursor(html);
  let kept = '';
  let at = 0;
  while (cursor.skipTo('<')) {
    const start = cursor.at;
    if (!cursor.take('<script') || isInWord(cursor)) {
      if (cursor.at === start) cursor.skip(1);
      continue;
    }
    kept += html.slice(at, start);
    skipScript(cursor);
    at = cursor.at;
  }
  return kept + html.slice(at);
};

const isInWord = (cursor: TextCursor): boolean =>
  cursor.isAt(LETTER | DIGIT) || cursor.peek() === UNDERSCORE;

/** To the end of the closing tag, or of the text. */
const skipScript = (cursor: TextCursor): void => {
  while (cursor.skipTo('</')) {
    if (!cursor.take('</script')) {
      cursor.skip(1);
      continue;
    }
    cursor.skipUntil(LESS_THAN | GREATER_THAN);
    if (!cursor.isAt(GREATER_THAN)) continue;
    cursor.skip(1);
    return;
  }
};
