// The classes of characters that scanners of text ask for, as bits of one table: a scanner skips a run of any
// of them with one look-up for each character. Letters and digits are ASCII's.

/** What `\s` of a regular expression stands for, in any script. */
export const WHITE_SPACE = 1;
/** The white space that markup knows. */
const HTML_SPACE = 2;
export const LETTER = 4;
export const DIGIT = 8;
export const QUOTE = 16;
export const GREATER_THAN = 32;
export const SLASH = 64;
export const EQUALS = 128;
export const LESS_THAN = 256;
export const CLOSING_PARENTHESIS = 512;
/** What parts the words of a body's plain text, but for line breaks. */
export const WORD_SPACE = 1024;
export const LINE_FEED = 2048;

type Ranges = readonly (readonly [first: number, last: number, value: number])[];

const RANGES: Ranges = [
  [0x09, 0x09, WHITE_SPACE | HTML_SPACE | WORD_SPACE],
  [0x0a, 0x0a, WHITE_SPACE | HTML_SPACE | LINE_FEED],
  [0x0b, 0x0b, WHITE_SPACE],
  [0x0c, 0x0d, WHITE_SPACE | HTML_SPACE | WORD_SPACE],
  [0x20, 0x20, WHITE_SPACE | HTML_SPACE | WORD_SPACE],
  [0x22, 0x22, QUOTE],
  [0x27, 0x27, QUOTE],
  [0x29, 0x29, CLOSING_PARENTHESIS],
  [0x2f, 0x2f, SLASH],
  [0x30, 0x39, DIGIT],
  [0x3c, 0x3c, LESS_THAN],
  [0x3d, 0x3d, EQUALS],
  [0x3e, 0x3e, GREATER_THAN],
  [0x41, 0x5a, LETTER],
  [0x61, 0x7a, LETTER],
  [0xa0, 0xa0, WHITE_SPACE],
  [0x1680, 0x1680, WHITE_SPACE],
  [0x2000, 0x200a, WHITE_SPACE],
  [0x200b, 0x200b, WORD_SPACE],
  [0x2028, 0x2029, WHITE_SPACE],
  [0x202f, 0x202f, WHITE_SPACE],
  [0x205f, 0x205f, WHITE_SPACE],
  [0x3000, 0x3000, WHITE_SPACE],
  [0xfeff, 0xfeff, WHITE_SPACE],
];

/** The value of each UTF-16 unit. */
export const characterTable = (ranges: Ranges): Readonly<Uint16Array> => {
  const table = new Uint16Array(0x10000);
  for (const [first, last, value] of ranges) table.fill(value, first, last + 1);
  return table;
};

/** The bits of each UTF-16 unit. */
export const CHARACTER_CLASSES = characterTable(RANGES);
