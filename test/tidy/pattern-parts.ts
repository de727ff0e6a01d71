// Takes a regular expression apart, as far as linear-pattern.ts asks: what each part may read, and how often.

/** A bit for each code point, or code unit, of a set. */
export type Characters = Uint32Array;

export type Part =
  | { readonly kind: 'set'; readonly characters: Characters }
  | { readonly kind: 'assertion'; readonly isStart: boolean; readonly body: Part | null }
  | { readonly kind: 'row' | 'choice'; readonly parts: readonly Part[] }
  | { readonly kind: 'repeat'; readonly body: Part; readonly min: number; readonly max: number };

/** A class in brackets, an escape, or one character. */
const ATOM =
  /^(?:\[(?:\\.|[^\]\\])*\]|\\(?:u\{[^}]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[pP]\{[^}]+\}|.)|.)/su;

const sets = new Map<string, Characters>();

/** Of one text. */
const CODES_AT_ONCE = 0x1000;

/**
 * All code units, or all code points, in a few texts. A low surrogate stands before each high one, so that no two of them
 * are read as one character.
 */
const textsOf = (isUnicode: boolean): readonly string[] => {
  const texts: string[] = [];
  const add = (first: number, end: number): void => {
    for (let code = first; code < end; code += CODES_AT_ONCE) {
      const codes = Array.from(
        { length: Math.min(CODES_AT_ONCE, end - code) },
        (_, at) => code + at,
      );
      texts.push(String.fromCodePoint(...codes));
    }
  };
  add(0, 0xd800);
  add(0xdc00, 0xe000);
  add(0xd800, 0xdc00);
  add(0xe000, isUnicode ? 0x11_0000 : 0x1_0000);
  return texts;
};

const TEXTS = { units: textsOf(false), points: textsOf(true) };

/** One for each code point that the atom reads; code units without the flags u and v. */
const charactersOf = (atom: string, flags: string): Characters => {
  const used = flags.replace(/[gydm]/g, '');
  const key = `${used}/${atom}`;
  const known = sets.get(key);
  if (known !== undefined) return known;
  const isUnicode = /[uv]/.test(used);
  const pattern = new RegExp(`(?:${atom})+`, `${used}g`);
  const characters = new Uint32Array((isUnicode ? 0x11_0000 : 0x1_0000) / 32);
  for (const text of isUnicode ? TEXTS.points : TEXTS.units) {
    for (const character of (text.match(pattern) ?? []).join('')) {
      const code = character.codePointAt(0) ?? 0;
      characters[code >>> 5] = (characters[code >>> 5] ?? 0) | (1 << (code & 31));
    }
  }
  sets.set(key, characters);
  return characters;
};

/** Throws for a back reference, and for syntax that the project does not use. */
export const parsePattern = (source: string, flags: string): Part => {
  let at = 0;
  const set = (atom: string): Part => ({ kind: 'set', characters: charactersOf(atom, flags) });

  const parseChoice = (): Part => {
    const parts = [parseRow()];
    while (source[at] === '|') {
      at += 1;
      parts.push(parseRow());
    }
    return parts.length === 1 ? (parts[0] as Part) : { kind: 'choice', parts };
  };

  const parseRow = (): Part => {
    const parts: Part[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') {
      parts.push(parseRepeats(parseAtom()));
    }
    return parts.length === 1 ? (parts[0] as Part) : { kind: 'row', parts };
  };

  const parseRepeats = (body: Part): Part => {
    const written = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(source.slice(at));
    if (written === null) return body;
    at += written[0].length;
    const [sign, low, comma, high] = written;
    if (low === undefined) {
      const max = sign.startsWith('?') ? 1 : Number.POSITIVE_INFINITY;
      return { kind: 'repeat', body, min: sign.startsWith('+') ? 1 : 0, max };
    }
    const max = comma === '' ? Number(low) : high === '' ? Number.POSITIVE_INFINITY : Number(high);
    return { kind: 'repeat', body, min: Number(low), max };
  };

  const parseAtom = (): Part => {
    const character = source[at] ?? '';
    if (character === '(') return parseGroup();
    if (character === '^' || character === '$') {
      at += 1;
      return { kind: 'assertion', isStart: character === '^', body: null };
    }
    const atom = ATOM.exec(source.slice(at))?.[0] ?? '';
    at += atom.length;
    if (atom === '\\b' || atom === '\\B') return { kind: 'assertion', isStart: false, body: null };
    if (/^\\(?:[1-9]|k)/.test(atom)) throw new Error(`${source} refers back to what it has read`);
    return set(atom);
  };

  const parseGroup = (): Part => {
    const opening = /^\((?:\?(?:[:=!]|<[=!]|<\w+>))?/.exec(source.slice(at))?.[0] ?? '(';
    at += opening.length;
    const body = parseChoice();
    at += 1;
    const isLook = /[=!]$/.test(opening);
    return isLook ? { kind: 'assertion', isStart: false, body } : body;
  };

  const pattern = parseChoice();
  if (at < source.length) throw new Error(`${source} cannot be read from place ${at} on`);
  return pattern;
};
