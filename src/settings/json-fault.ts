// Finds where a text stops being JSON, and where it says something twice. JSON.parse itself does not always name the
// place of the one, and takes the last of the other.

export type JsonFault = {
  /** Both from 1. */
  readonly line: number;
  readonly column: number;
  /** What should stand there. */
  readonly expected: string;
  /** The character that stands there; empty at the end of the text. */
  readonly found: string;
};

/** Null for a text that is JSON. */
export const findJsonFault = (text: string): JsonFault | null => {
  const reader = new Reader(text);
  const expected = reader.readDocument();
  if (expected === null) return null;
  return {
    ...placeOf(text, reader.at),
    expected,
    found: [...text.slice(reader.at, reader.at + 2)][0] ?? '',
  };
};

export type Repeated = {
  /** From 1. */
  readonly line: number;
  /** With the names around it: `lists.max`. */
  readonly name: string;
};

/** The first name that an object of JSON has twice, whether it is nested or written with dots; null: there is none. */
export const findRepeatedName = (text: string): Repeated | null => {
  const reader = new Reader(text);
  reader.readDocument();
  if (reader.repeated === null) return null;
  const { at, name } = reader.repeated;
  return { line: placeOf(text, at).line, name };
};

const placeOf = (text: string, at: number): Pick<JsonFault, 'line' | 'column'> => {
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
};

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** Each method returns what it expected, with `at` where that is missing, or null when it has read all. */
class Reader {
  at = 0;
  repeated: { readonly at: number; readonly name: string } | null = null;
  readonly #text: string;
  readonly #names = new Set<string>();
  /** Of the object that is being read, with a dot at its end. */
  #prefix = '';

  constructor(text: string) {
    this.#text = text;
  }

  readDocument(): string | null {
    const fault = this.#readValue();
    if (fault !== null) return fault;
    this.#skipSpace();
    return this.at < this.#text.length ? 'the end of the file' : null;
  }

  #readValue(): string | null {
    this.#skipSpace();
    const first = this.#text[this.at];
    if (first === '{') return this.#readItems('}', () => this.#readMember());
    if (first === '[')
      return this.#readItems(']', () => this.#readWithin(`${this.#prefix}${this.at}.`));
    if (first === '"') return this.#readString();
    return this.#skip(NUMBER) || this.#skip(WORD) ? null : 'a value';
  }

  #readItems(end: string, readItem: () => string | null): string | null {
    this.at += 1;
    this.#skipSpace();
    if (this.#take(end)) return null;
    for (;;) {
      const fault = readItem();
      if (fault !== null) return fault;
      this.#skipSpace();
      if (this.#take(end)) return null;
      if (!this.#take(',')) return `"," or "${end}"`;
    }
  }

  #readMember(): string | null {
    this.#skipSpace();
    if (this.#text[this.at] !== '"') return 'a name in double quotes';
    const start = this.at;
    const fault = this.#readString();
    if (fault !== null) return fault;
    const name = `${this.#prefix}${JSON.parse(this.#text.slice(start, this.at)) as string}`;
    if (this.#names.has(name)) this.repeated ??= { at: start, name };
    this.#names.add(name);
    this.#skipSpace();
    return this.#take(':') ? this.#readWithin(`${name}.`) : '":"';
  }

  #readWithin(prefix: string): string | null {
    const around = this.#prefix;
    this.#prefix = prefix;
    const fault = this.#readValue();
    this.#prefix = around;
    return fault;
  }

  #readString(): string | null {
    this.at += 1;
    while (!this.#take('"')) {
      const unit = this.#text[this.at];
      if (unit === undefined || unit < ' ') return 'a double quote that ends the text';
      if (unit !== '\\') this.at += 1;
      else if (!this.#skip(ESCAPE)) return 'an escape such as \\n or \\\\';
    }
    return null;
  }

  #take(unit: string): boolean {
    if (this.#text[this.at] !== unit) return false;
    this.at += 1;
    return true;
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    if (!pattern.test(this.#text)) return false;
    this.at = pattern.lastIndex;
    return true;
  }

  #skipSpace(): void {
    while (' \t\r\n'.includes(this.#text[this.at] ?? 'none')) this.at += 1;
  }
}
