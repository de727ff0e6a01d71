// What `~` asks of a text. It does not tell small letters from capitals: each UTF-16 unit is compared in its lower case,
// so that all runtimes agree; a letter whose lower case is longer stands for itself. Runtime-neutral, and written so
// that the oldest of the edge runtimes can run it.
import type { TextMatch } from './filter.ts';

/** The texts that it is given have to be folded. */
export const createTextTest = (match: TextMatch, text: string): ((text: string) => boolean) => {
  const sought = foldText(text);
  return (folded) => {
    if (match === 'contains') return folded.indexOf(sought) >= 0;
    const from = match === 'starts' ? 0 : folded.length - sought.length;
    return from >= 0 && folded.substr(from, sought.length) === sought;
  };
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: a range of all of ASCII
const ASCII = /^[\u0000-\u007f]*$/;
/** Runtimes differ in its lower case. */
const DOTTED_I = 'İ';

export const foldText = (text: string): string =>
  ASCII.test(text) ? text.toLowerCase() : text.split('').map(foldUnit).join('');

const foldUnit = (unit: string): string => {
  const lower = unit.toLowerCase();
  return lower.length === 1 && unit !== DOTTED_I ? lower : unit;
};
