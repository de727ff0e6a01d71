// An error of Eleventy as one sentence. It wraps an error in what it was doing, and often repeats it there.
import { PrepressError } from '../../base/errors.ts';

type Wrapped = {
  readonly message?: unknown;
  readonly originalError?: unknown;
  readonly cause?: unknown;
};

/** An error of Prepress within it is the answer. `begins`: the beginning of the sentence. */
export const asEleventyError = (
  error: unknown,
  code: 'PAGES_INVALID' | 'CONFIG_INVALID' = 'PAGES_INVALID',
  begins = 'The pages cannot be rendered:',
): PrepressError => {
  let text = begins;
  let inner: unknown = error;
  while (typeof inner === 'object' && inner !== null) {
    if (inner instanceof PrepressError) return inner;
    const { message, originalError, cause } = inner as Wrapped;
    if (!text.includes(String(message))) text += ` ${message}`;
    inner = originalError ?? cause;
  }
  const hint = 'Run "npm install" in the folder of eleventy.config.js and build again.';
  const isAbsent = /Cannot find (?:package|module) /.test(text);
  return new PrepressError(code, withOnePage(text), { cause: error, ...(isAbsent && { hint }) });
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
