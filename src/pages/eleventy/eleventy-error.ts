// An error of Eleventy as one sentence. It wraps an error in what it was doing, and often repeats it there.
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PrepressError } from '../../base/errors.ts';

type Wrapped = {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly stack?: unknown;
  readonly originalError?: unknown;
  readonly cause?: unknown;
};

/** An error of Prepress within it is the answer. `begins`: the beginning of the sentence. */
export const asEleventyError = (
  error: unknown,
  code: 'PAGES_INVALID' | 'CONFIG_INVALID' = 'PAGES_INVALID',
  begins = 'The pages cannot be rendered:',
): PrepressError => {
  let said = '';
  let place: string | null = null;
  let inner: unknown = error;
  while (typeof inner === 'object' && inner !== null) {
    if (inner instanceof PrepressError) return inner;
    const { name, message, stack, originalError, cause } = inner as Wrapped;
    const words = String(message || name);
    if (!isIn(said, words)) said += ` ${words}`;
    place = placeIn(String(stack));
    inner = originalError ?? cause;
  }
  const isPlaced = place === null || said.includes(place.replace(/:\d+$/, ''));
  const text = `${begins}${said}${isPlaced ? '' : ` (${place})`}`;
  const hint = 'Run "npm install" in the folder of eleventy.config.js and build again.';
  const isAbsent = /Cannot find (?:package|module) /.test(text);
  return new PrepressError(code, withOnePage(text), { cause: error, ...(isAbsent && { hint }) });
};

/** Not as a part of longer words. */
const isIn = (text: string, words: string): boolean => {
  const [before, ...after] = text.split(words);
  return after.length > 0 && !/\w$/.test(before ?? '') && !/^\w/.test(after[0] ?? '');
};

/** Where a file of the project threw it, such as `content/_data/menu.js:3`; null where none did. */
const placeIn = (stack: string): string | null => {
  for (const [, path = '', line] of stack.matchAll(FRAME)) {
    const own = relative(process.cwd(), path.startsWith('file:') ? fileURLToPath(path) : path);
    if (!/^\.\.|(?:^|[\\/])node_modules[\\/]/.test(own)) return `${own}:${line}`;
  }
  return null;
};

const FRAME = /^ {4}at (?:.* \()?((?:file:\/\/)?\/[^\n]*?)(?:\?[^\n]*)?:(\d+):\d+\)?$/gm;

/** Of a template it names each page: "a.html", "b.html". */
const withOnePage = (text: string): string => {
  const [start = '', ...pieces] = text.split('", "');
  let shown = start;
  let others = 0;
  for (const piece of pieces) {
    others += 1;
    const end = piece.indexOf('"');
    if (end === -1) continue;
    shown += `" and ${others} more${piece.slice(end + 1)}`;
    others = 0;
  }
  return others === 0 ? shown : text;
};
