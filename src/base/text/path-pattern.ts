// Reads a pattern of paths from a list of redirects: a part of regular expressions that JavaScript, PCRE and RE2 read alike, and
// match in time that grows with the path alone. The source that comes out has no braces, quotes and spaces, backslashes only in
// `\xHH`, and nothing in it matches the `?` of a query.

import { REDIRECT_RULE_CHARACTERS_MAX, REDIRECT_WAYS_MAX } from '../limits.ts';

export type PathPattern = {
  /** Regular expression of a whole path, without anchors. */
  readonly source: string;
  readonly groups: readonly PathGroup[];
};

export type PathGroup = {
  /** Not where one stands right before it: no path with two in a row, or with a backslash, is redirected. */
  readonly mayBeginWithSlash: boolean;
  /** Between two slashes it is never: no path with both is redirected. */
  readonly mayBeEmpty: boolean;
};

/** Why a line is refused: goes on after its name. */
export class PatternError extends Error {}

const TOKEN =
  /\((?:\?:)?|\)\??|\||(\.|\[\^?(?:\\.|[^\\\]])+\]|\\.|[^\\()[\]{}^$*+?|])([*+]\??|\?|\{\d+\})?/uy;
const CLASS = /^\[(\^?)((?:[a-z]-[a-z]|[A-Z]-[A-Z]|\d-\d|\\[dw./-]|[\w.%~/-])+)\]$/;
const REPEATS_MAX = 32;

/** As Ghost reads it: `/.../i` ignores case; without a `$` the last slash may be there or not. Throws PatternError. */
export const readPathPattern = (from: string): PathPattern => {
  const ignoresCase = from.length > '//i'.length && from.startsWith('/') && from.endsWith('/i');
  const whole = (ignoresCase ? plainStart(from.slice(1, -2)) : from).replace(/^\^/, '');
  if (!/^\\?\//.test(whole)) throw new PatternError('does not begin with a slash');
  const isExact = whole.endsWith('$');
  const source = translate(whole.replace(isExact ? /\$$/ : /\\?\/$|\\$/, ''), ignoresCase);
  throwIfSlow(source);
  const groups = [...source.matchAll(/(\/?)\((?!\?)([^()]*)\)(\??)/g)].map(
    ({ 0: whole, 1: slash, 2: inner = '', 3: mark, index }) => ({
      mayBeginWithSlash: slash !== '/' && matchesSlash(inner),
      mayBeEmpty:
        (mark === '?' || compilePath(`(?:${inner})`).test('')) &&
        !(slash === '/' && /^\/(?!\?)/.test(source.slice(index + whole.length))),
    }),
  );
  return { source: isExact ? source : `${source}/?`, groups };
};

const matchesSlash = (inner: string): boolean =>
  (inner.match(/\[[^[\]]*\]|\\x..|[^*+?|]/g) ?? []).some((one) => compilePath(one).test('/'));

/** `/name/i` is a path in any case, too: its slash is taken for the beginning of an expression. */
const plainStart = (inner: string): string => (/^[\^/\\]/.test(inner) ? inner : `/${inner}`);

const translate = (body: string, ignoresCase: boolean): string => {
  let source = '';
  for (let at = 0; at < body.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const [token, character, mark = ''] = TOKEN.exec(body) ?? [];
    if (token === undefined) throw new PatternError(`cannot be used from "${body.slice(at)}" on`);
    source += character === undefined ? token : repeated(oneOf(character, ignoresCase), mark);
  }
  const open = source.replace(/\((?:\?:)?[^()]*\)/g, '');
  if (/[()|]/.test(open)) throw new PatternError('has a choice or a bracket outside of a group');
  if (source.length > REDIRECT_RULE_CHARACTERS_MAX)
    throw new PatternError(`has more than ${REDIRECT_RULE_CHARACTERS_MAX} characters, written out`);
  return source;
};

const repeated = (one: string, mark: string): string => {
  if (/^[*+]/.test(mark) && !one.startsWith('['))
    throw new PatternError('repeats a character that is no class');
  if (mark === '?' && !/^(?:\[[^\]]*\]|\\x..|.)$/.test(one))
    throw new PatternError('leaves out a letter that is encoded in addresses');
  if (!mark.startsWith('{')) return one + mark;
  const times = Number(mark.slice(1, -1));
  if (times > REPEATS_MAX) throw new PatternError('repeats too often');
  return one.repeat(times);
};

const oneOf = (character: string, ignoresCase: boolean): string => {
  if (character === '.') return '[^?\\x20]';
  if (/^\\[dw]$/.test(character)) return oneOf(`[${character}]`, false);
  if (character.startsWith('[')) return classOf(character, ignoresCase);
  if (/^\\[A-Za-z0-9]/.test(character)) throw new PatternError(`has ${character}`);
  const plain = character.replace(/^\\/, '');
  // What is encoded already stays so.
  const letters = plain === '%' ? ['%'] : [...encodeURI(plain)];
  return letters
    .map((letter) => {
      if (ignoresCase && /[A-Za-z]/.test(letter))
        return `[${letter.toLowerCase()}${letter.toUpperCase()}]`;
      return /[\w~/-]/.test(letter) ? letter : hex(letter);
    })
    .join('');
};

const classOf = (character: string, ignoresCase: boolean): string => {
  const [, negation = '', members] = CLASS.exec(character) ?? [];
  if (members === undefined) throw new PatternError(`has the class ${character}`);
  const parts = members.match(/.-.|\\.|./g) ?? [];
  const plain = parts.map((part) => MEMBERS[part] ?? (part.length === 3 ? part : memberOf(part)));
  const inner = plain.join('');
  const both = ignoresCase ? inner.toLowerCase() + inner.toUpperCase() : inner;
  return negation === '' ? `[${both}]` : `[^${both}?\\x20]`;
};

const MEMBERS: Readonly<Record<string, string>> = { '\\d': '0-9', '\\w': 'A-Za-z0-9_' };

const memberOf = (part: string): string => {
  const letter = part.slice(-1);
  return /[\w/]/.test(letter) ? letter : hex(letter);
};

const hex = (letter: string): string => `\\x${letter.charCodeAt(0).toString(16).padStart(2, '0')}`;

const REPETITION = /(\[[^\]]*\])[*+]\??/g;
/** A slash that must be there, or the end. */
const END = /^\)?\??(?:$|\/(?:\?$|(?!\?))|\((?:\?:)?\/[^()|]*\)(?:\??$|[^?]))/;

/**
 * There is one way to read a path: one piece may pass slashes, and what repeats without end otherwise ends where a slash
 * does. Throws PatternError.
 */
const throwIfSlow = (source: string): void => {
  if (/\([^()]*(?:[*+][^()]*\||\|[^()]*[*+])[^()]*\)/.test(source))
    throw new PatternError('repeats without end within a choice');
  compilePath(source);
  if (waysThrough(source) > REDIRECT_WAYS_MAX)
    throw new PatternError(`has more than ${REDIRECT_WAYS_MAX} ways through its choices`);
  let wide = 0;
  const repetitions = [...source.matchAll(REPETITION)];
  for (const [at, { 0: whole, 1: one = '', index }] of repetitions.entries()) {
    const passesSlashes = compilePath(one).test('/');
    if (passesSlashes) wide += 1;
    const isLast = at === repetitions.length - 1;
    if (wide > 1) throw new PatternError('has two repetitions that pass slashes, such as .*');
    if (passesSlashes && isLast) continue;
    if (END.test(source.slice(index + whole.length))) continue;
    throw new PatternError(`has a repetition that ends at no slash: ${one}`);
  }
};

/** At most so many ways lead through its choices, and through what may be absent. */
const waysThrough = (source: string): number => {
  const plain = source.replace(/\[[^\]]*\](?:[*+]\??)?/g, 'c').replaceAll('(?:', '(');
  const choices = [...plain.matchAll(/\([^()]*\)/g)].map(([group]) => group.split('|').length);
  return choices.reduce((ways, count) => ways * count, 2 ** (plain.split('?').length - 1));
};

/** What a source matches, as a whole. Throws PatternError, as for a range that is backwards. */
export const compilePath = (source: string): RegExp => {
  try {
    return new RegExp(`^${source}$`);
  } catch (error) {
    throw new PatternError('is no regular expression', { cause: error });
  }
};
