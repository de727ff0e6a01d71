// Where the values of a JSON text stand in it, so that a fault of a settings file is named by its place. JSON.parse does
// not always name that, and takes the last of two equal names.

export type JsonPlace = {
  readonly start: number;
  readonly end: number;
  /** The members of an object in their order, doubled names included; null for what is no object. */
  readonly members: readonly JsonMember[] | null;
  /** The items of an array; null for what is no array. */
  readonly items: readonly JsonPlace[] | null;
};

export type JsonMember = {
  readonly name: string;
  /** Where the name stands. */
  readonly start: number;
  readonly place: JsonPlace;
};

/** Says what should stand at a place of the text, such as `a value`. */
export class JsonFault extends SyntaxError {
  readonly at: number;
  readonly expected: string;

  constructor(at: number, expected: string) {
    super(`Expected ${expected}.`);
    this.at = at;
    this.expected = expected;
  }
}

/** Both from 1. */
export const lineAt = (text: string, at: number): { line: number; column: number } => {
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
};

const SPACE = /[ \t\r\n]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** Throws JsonFault for exactly the texts that JSON.parse refuses, RangeError for one that is nested too deeply. */
export const placeValues = (text: string): JsonPlace => {
  let at = 0;
  const fail = (expected: string): never => {
    throw new JsonFault(at, expected);
  };
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  };
  const take = (unit: string): boolean => {
    if (text[at] !== unit) return false;
    at += 1;
    return true;
  };
  const skipString = (): void => {
    at += 1;
    while (!take('"')) {
      const unit = text[at];
      if (unit === undefined || unit < ' ') fail('a double quote that ends the text');
      if (unit !== '\\') at += 1;
      else if (!skip(ESCAPE)) fail('an escape such as \\n or \\\\');
    }
  };
  /** What stands between two brackets. */
  const readParts = <T>(end: string, read: () => T): T[] => {
    const parts: T[] = [];
    at += 1;
    skip(SPACE);
    if (take(end)) return parts;
    for (;;) {
      skip(SPACE);
      parts.push(read());
      skip(SPACE);
      if (take(end)) return parts;
      if (!take(',')) fail(`"," or "${end}"`);
    }
  };
  const readMember = (): JsonMember => {
    const start = at;
    if (text[at] !== '"') fail('a name in double quotes');
    skipString();
    const name = JSON.parse(text.slice(start, at)) as string;
    skip(SPACE);
    if (!take(':')) fail('":"');
    return { name, start, place: readValue() };
  };
  const readValue = (): JsonPlace => {
    skip(SPACE);
    const start = at;
    const members = text[at] === '{' ? readParts('}', readMember) : null;
    const items = text[at] === '[' && members === null ? readParts(']', readValue) : null;
    if (members === null && items === null) {
      if (text[at] === '"') skipString();
      else if (!skip(NUMBER) && !skip(WORD)) fail('a value');
    }
    return { start, end: at, members, items };
  };
  const whole = readValue();
  skip(SPACE);
  if (at < text.length) fail('the end of the file');
  return whole;
};
