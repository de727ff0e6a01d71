// Names come from databases, exports and file systems, and may hold what a terminal obeys or what reorders a line.
// Lines for people show such characters escaped.

/** Controls of ASCII and Latin-1, separators of lines, marks of direction, lone halves of surrogate pairs. */
const UNSEEN = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\p{Cs}/gu;
const UNSEEN_IN_LINES = /[^\P{Cc}\n]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\p{Cs}/gu;

/** One line. */
export const toPrintable = (text: string): string => text.replace(UNSEEN, escapeUnit);

/** Keeps line feeds: for texts of the program's own that have several lines. */
export const toPrintableLines = (text: string): string => text.replace(UNSEEN_IN_LINES, escapeUnit);

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const escapeUnit = (unit: string): string =>
  SHORT[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
