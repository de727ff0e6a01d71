// Tells whether a document of Ghost's editors (Lexical, Mobiledoc) shows anything. It looks for what such
// JSON spells and reads it as text, once for each form, because the document may be anything.
import { DIGIT } from '../../../base/text/character-classes.ts';
import { TextCursor } from '../../../base/text/text-cursor.ts';

/** Node types of Lexical that are only structure. */
const STRUCTURE: ReadonlySet<string> = new Set([
  'root',
  'paragraph',
  'extended-text',
  'text',
  'linebreak',
  'link',
  'list',
  'listitem',
  'heading',
  'extended-heading',
  'quote',
  'extended-quote',
  'aside',
  'tk',
  'autolink',
]);

/** Whether an editor document holds more than empty paragraphs: a text, or a card. */
export const hasWords = (document: unknown): boolean =>
  typeof document === 'string' &&
  (hasText(document) ||
    hasMarker(document) ||
    document.includes('"cards":[[') ||
    hasLexicalCard(document));

const hasText = (document: string): boolean => {
  const cursor = new TextCursor(document);
  while (cursor.skipPast('"text":"')) if (isWordStart(cursor)) return true;
  return false;
};

/** The first character of a text in quotes. */
const isWordStart = (cursor: TextCursor): boolean => !cursor.isAtEnd && cursor.peek() !== 0x22;

/** Mobiledoc's `[0,[…],0,"text"]`. */
const hasMarker = (document: string): boolean => {
  const cursor = new TextCursor(document);
  while (cursor.skipPast('[0,[') && cursor.skipTo(']')) {
    if (!cursor.take('],')) continue;
    const start = cursor.at;
    cursor.skipWhile(DIGIT);
    if (cursor.at > start && cursor.take(',"') && isWordStart(cursor)) return true;
  }
  return false;
};

const hasLexicalCard = (document: string): boolean => {
  const cursor = new TextCursor(document);
  while (cursor.skipPast('"type":"')) {
    const start = cursor.at;
    if (!cursor.skipTo('"') || !STRUCTURE.has(cursor.textFrom(start))) return true;
  }
  return false;
};
