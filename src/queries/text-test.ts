// What a filter asks of a text. `~` does not tell small letters from capitals: each UTF-16 unit is compared in its lower
// case, so that all runtimes agree; a letter whose lower case is longer stands for itself. Everything else compares by
// UTF-16 units. Runtime-neutral, and written so that the oldest of the edge runtimes can run it.
import type { TextMatch } from './filter.ts';

export type TextTest =
  | { readonly kind: 'in'; readonly values: readonly string[] }
  | {
      readonly kind: 'compare';
      readonly operator: '>' | '>=' | '<' | '<=';
      readonly value: string;
    }
  /** `text` is folded. */
  | { readonly kind: 'match'; readonly match: TextMatch; readonly text: string };

/** For matches the text has to be folded. */
export const passesTest = (test: TextTest, text: string): boolean => {
  if (test.kind === 'in') return test.values.indexOf(text) !== -1;
  if (test.kind === 'match') return matches(test.match, test.text, text);
  if (test.operator === '>') return text > test.value;
  if (test.operator === '>=') return text >= test.value;
  return test.operator === '<' ? text < test.value : text <= test.value;
};

const matches = (match: TextMatch, sought: string, folded: string): boolean => {
  if (match === 'contains') return folded.indexOf(sought) !== -1;
  if (sought.length > folded.length) return false;
  if (match === 'starts') return folded.slice(0, sought.length) === sought;
  return folded.slice(folded.length - sought.length) === sought;
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: a range of all of ASCII
const ASCII = /^[\u0000-\u007f]*$/;
/** Runtimes differ in its lower case. */
const DOTTED_I = 'İ';

export const foldText = (text: string): string => {
  if (ASCII.test(text)) return text.toLowerCase();
  let folded = '';
  for (let at = 0; at < text.length; at += 1) folded += foldUnit(text.charAt(at));
  return folded;
};

const foldUnit = (unit: string): string => {
  const lower = unit.toLowerCase();
  return lower.length === 1 && unit !== DOTTED_I ? lower : unit;
};
