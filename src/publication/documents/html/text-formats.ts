// How each element stands in plain text: Ghost's table for excerpts, which leaves out images, captions, rules,
// footnotes and sign-up cards, and shows of links their words only.
import type { Attributes } from './markup-reader.ts';

export type TextFormat =
  | { readonly kind: 'inline' | 'skip' | 'lineBreak' | 'list' | 'numberedList' }
  /** Line breaks that part it from what comes before and after. */
  | { readonly kind: 'block' | 'pre'; readonly leading: number; readonly trailing: number };

const INLINE: TextFormat = { kind: 'inline' };
const SKIP: TextFormat = { kind: 'skip' };

const block = (names: string, leading: number, trailing: number): [string, TextFormat][] =>
  names.split(' ').map((name) => [name, { kind: 'block', leading, trailing }]);

const FORMATS: ReadonlyMap<string, TextFormat> = new Map([
  ...block('article aside footer form header main nav section', 1, 1),
  ...block('blockquote h4 h5 h6 p table', 2, 2),
  ...block('h1 h2 h3', 3, 2),
  ['pre', { kind: 'pre', leading: 2, trailing: 2 }],
  ['br', { kind: 'lineBreak' }],
  ['ul', { kind: 'list' }],
  ['ol', { kind: 'numberedList' }],
  ...['img', 'hr', 'figcaption', 'script', 'style'].map((name) => [name, SKIP] as const),
]);

export const formatOf = (name: string, attributes: Attributes): TextFormat => {
  if (name === 'a' && attributes.rel === 'footnote') return SKIP;
  if (attributes.class !== undefined) {
    const classes = attributes.class.split(/\s+/);
    if (classes.includes('kg-signup-card')) return SKIP;
    if (name === 'div' && classes.includes('footnotes')) return SKIP;
  }
  return FORMATS.get(name) ?? INLINE;
};
