// An error of Eleventy as one sentence. It wraps an error in what it was doing, and often repeats it there.
import { isAbsolute, relative } from 'node:path';
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
  const hint = HINTS.find(([pattern]) => pattern.test(text))?.[1];
  return new PrepressError(code, withOnePage(text), { cause: error, ...(hint && { hint }) });
};

const HINTS: readonly (readonly [RegExp, string])[] = [
  [
    /Cannot find (?:package|module) /,
    'Run "npm install" in the folder of eleventy.config.js and build again.',
  ],
  // What Node.js says of a module where package.json has no "type", or "commonjs", as npm init writes it.
  [
    /Cannot use import statement outside a module|Unexpected token 'export'/,
    'Name the file eleventy.config.mjs, or run "npm pkg set type=module".',
  ],
];

/** Not as a part of longer words. */
const isIn = (text: string, words: string): boolean => {
  const [before, ...after] = text.split(words);
  return after.length > 0 && !/\w$/.test(before ?? '') && !/^\w/.test(after[0] ?? '');
};

/** Where a file of the project threw it, such as `content/_data/menu.js:3`; null where none did. */
const placeIn = (stack: string): string | null => {
  for (const frame of stack.split(/\n {4}at (?:async )?/).slice(1)) {
    const [place = ''] = frame.split('\n', 1);
    const [path = '', line = ''] = placeOf(place.slice(place.lastIndexOf('(') + 1));
    if (!isAbsolute(path)) continue;
    const own = relative(process.cwd(), path);
    if (!/^\.\.|(?:^|[\\/])node_modules[\\/]/.test(own)) return `${own}:${line}`;
  }
  return null;
};

/** Of `file:///a/b.js?x=1:3:7`: the path and the line. */
const placeOf = (place: string): [path: string, line: string] => {
  const parts = place.split(':');
  const [path = ''] = parts.slice(0, -2).join(':').split('?', 1);
  const line = parts.at(-2) ?? '';
  return [path.startsWith('file:') ? fileURLToPath(path) : path, line];
};

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
