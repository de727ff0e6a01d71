// The kinds of characters that words are counted by (facts 1.1), as one table of the first 65,536:
// every character of every body is looked up.
import { characterTable } from '../../../base/text/character-classes.ts';

export const OTHER = 0;
export const WORD = 1;
export const LOGOGRAM = 2;
/** Written from right to left. */
const HEBREW = 3;
const ARABIC = 4;
/** "<", which may begin a tag. */
export const TAG_START = 5;

const RANGES: readonly (readonly [first: number, last: number, kind: number])[] = [
  [0x30, 0x39, WORD],
  [0x3c, 0x3c, TAG_START],
  [0x41, 0x5a, WORD],
  [0x5f, 0x5f, WORD],
  [0x61, 0x7a, WORD],
  [0xc0, 0xff, WORD],
  [0x392, 0x3c9, WORD],
  [0x410, 0x4f9, WORD],
  [0x591, 0x5f4, HEBREW],
  [0x600, 0x6ff, ARABIC],
  [0x3040, 0x309f, LOGOGRAM],
  [0x3400, 0x4dbf, LOGOGRAM],
  [0x4e00, 0x9fff, LOGOGRAM],
  [0xac00, 0xd7af, LOGOGRAM],
  [0xf900, 0xfaff, LOGOGRAM],
];

export const CHARACTER_KINDS = characterTable(RANGES);
