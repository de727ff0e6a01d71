// Edits the values of attributes in a text of html, of those that stand in quotes: the rest stays as it is
// written, byte for byte. A tag ends at the first bracket, also within quotes.
import {
  EQUALS,
  GREATER_THAN,
  LESS_THAN,
  LETTER,
  QUOTE,
  SLASH,
  WHITE_SPACE,
} from '../../../base/text/character-classes.ts';
import { TextCursor } from '../../../base/text/text-cursor.ts';

/** By the attribute's name, in lower case. */
export type AttributeEdits = ReadonlyMap<string, (value: string) => string>;

export const editAttributes = (html: string, edits: AttributeEdits): string => {
  const cursor = new TextCursor(html);
  let edited = '';
  let copied = 0;
  while (cursor.skipTo('<')) {
    cursor.skip(1);
    if (!cursor.isAt(LETTER)) continue;
    const start = cursor.at;
    cursor.skipUntil(LESS_THAN | GREATER_THAN);
    if (!cursor.isAt(GREATER_THAN)) continue;
    const tag = editTag(cursor.textFrom(start), edits);
    if (tag === null) continue;
    edited += html.slice(copied, start) + tag;
    copied = cursor.at;
  }
  return edited + html.slice(copied);
};

/** Null where nothing is edited. */
const editTag = (tag: string, edits: AttributeEdits): string | null => {
  const cursor = new TextCursor(tag);
  let edited = '';
  let copied = 0;
  cursor.skipUntil(WHITE_SPACE | SLASH);
  while (!cursor.isAtEnd) {
    cursor.skipWhile(WHITE_SPACE | SLASH);
    const start = cursor.at;
    // The first character belongs to the name, also where it is "=".
    cursor.skip(1);
    cursor.skipUntil(WHITE_SPACE | SLASH | EQUALS);
    const edit = edits.get(cursor.textFrom(start).toLowerCase());
    cursor.skipWhile(WHITE_SPACE);
    if (!cursor.isAt(EQUALS)) continue;
    cursor.skip(1);
    cursor.skipWhile(WHITE_SPACE);
    if (!cursor.isAt(QUOTE)) {
      cursor.skipUntil(WHITE_SPACE);
      continue;
    }
    const quote = tag.charAt(cursor.at);
    cursor.skip(1);
    const valueStart = cursor.at;
    if (!cursor.skipTo(quote)) break;
    if (edit !== undefined) {
      edited += tag.slice(copied, valueStart) + edit(cursor.textFrom(valueStart));
      copied = cursor.at;
    }
    cursor.skip(1);
  }
  return copied === 0 ? null : edited + tag.slice(copied);
};
