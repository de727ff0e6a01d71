// The loops that each body of a build comes through, which have no cursor: words, images and links are counted
// and found in steps that grow with the body alone.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ByteText } from '../../../../src/publication/documents/html/byte-text.ts';
import { scanHrefs } from '../../../../src/publication/documents/html/html-tags.ts';
import { readingTime } from '../../../../src/publication/documents/html/reading-time.ts';

const STEPS_PER_UNIT_MAX = 40;
/** For what does not depend on the length. */
const STEPS_BESIDE = 500;

/** Bytes that count each one that is looked at. */
const countBytes = (html: string): { readonly bytes: Buffer; readonly steps: () => number } => {
  const bytes = Buffer.from(html);
  let steps = 0;
  const indexOf = (wanted: number | Buffer, from = 0): number => {
    const at = bytes.indexOf(wanted, from);
    steps += (at === -1 ? bytes.length : at) - from + 1;
    return at;
  };
  const counted = new Proxy(bytes, {
    get: (_, name) => {
      if (name === 'indexOf') return indexOf;
      if (name === 'length') return bytes.length;
      steps += 1;
      return bytes[Number(name)];
    },
  });
  return { bytes: counted, steps: () => steps };
};

/** A text that counts each unit that is looked at. */
class CountedText {
  readonly #text: string;
  steps = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get length(): number {
    return this.#text.length;
  }

  charCodeAt(at: number): number {
    this.steps += 1;
    return this.#text.charCodeAt(at);
  }

  indexOf(wanted: string, from = 0): number {
    const at = this.#text.indexOf(wanted, from);
    this.steps += (at === -1 ? this.length : at) - from + 1;
    return at;
  }

  startsWith(wanted: string, at: number): boolean {
    this.steps += wanted.length;
    return this.#text.startsWith(wanted, at);
  }

  slice(start: number, end = this.length): string {
    this.steps += Math.max(0, end - start);
    return this.#text.slice(start, end);
  }
}

const expectInProportion = (html: string): void => {
  const { bytes, steps } = countBytes(html);
  readingTime(bytes, false);
  const stepsMax = STEPS_BESIDE + STEPS_PER_UNIT_MAX * html.length;
  expect(steps(), `words of ${html.slice(0, 40)}`).toBeLessThanOrEqual(stepsMax);
  const text = new CountedText(html);
  scanHrefs(text as unknown as ByteText, () => undefined);
  expect(text.steps, `links of ${html.slice(0, 40)}`).toBeLessThanOrEqual(stepsMax);
};

const PIECES = [
  ...['<', '>', '"', "'", '<a', '<a ', '<a href=', '<a href="', '<img', '<img ', '</', 'x', ' '],
  '/',
  ...['<!--', '-->', '<!', '<script>', '<script', '</script', '<xmp>', '</xm', '=', '<title>'],
  '<b>',
];

test('bodies of hostile pieces take steps that grow with them', () => {
  for (const piece of PIECES) {
    for (const start of ['', ...PIECES]) expectInProportion(start + piece.repeat(300));
  }
});

test('bodies of any pieces take steps that grow with them', () => {
  const part = fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }).map((all) => all.join(''));
  fc.assert(
    fc.property(part, part, fc.integer({ min: 1, max: 300 }), (start, repeated, times) => {
      expectInProportion(start + repeated.repeat(times) + start);
      expectInProportion(`${start}${repeated.repeat(times)}>`);
    }),
    { numRuns: 500 },
  );
});
