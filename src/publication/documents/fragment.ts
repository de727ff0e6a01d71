// The text of one record inside documents. The variants of a record share all keys but the last ones, so
// the shared part is serialised once and each variant adds its own end: what is included, and the keys that stand
// after that.
import type { PackedRecord, PackedTerm } from '../../content/tree/records.ts';
import { type ByteText, EMPTY } from './html/byte-text.ts';

export type RecordText = {
  /** The JSON of the record without its closing brace, in three parts of which `body` is made of bytes. */
  readonly open: { readonly head: string; readonly body: ByteText; readonly tail: string };
  /** One per record variant, each closing the record: posts and pages index, authors, tags,
   * authors-tags; others index, count. With the first one, which includes nothing, it is what the packed tree has. */
  readonly ends: readonly string[];
  readonly facts: RecordFacts;
  /** JSON of the plain text of a post or page; empty for others. */
  readonly plain: ByteText;
};

/** What the packed tree needs to know of a post or page, beside its bytes. */
export type PostFacts = Omit<PackedRecord, 'id' | 'ms' | 'line' | 'card' | 'plain'> & {
  /** A part of the body is withheld from strangers. */
  readonly isGated: boolean;
};

/** The same of a tag or author. */
export type TermFacts = Omit<PackedTerm, 'id' | 'line'>;

export type RecordFacts = PostFacts | TermFacts;

type Open = RecordText['open'];

/** The JSON of an object without its closing brace, ready for further keys. */
export const openObject = (value: object): Open => ({
  head: JSON.stringify(value).slice(0, -1),
  body: EMPTY,
  tail: '',
});

type PostParts = {
  readonly before: object;
  readonly html: ByteText | null;
  readonly after: object;
};

/** The JSON of further keys, each with a comma before it. */
export const furtherKeys = (value: object | null): string =>
  value === null ? '' : `,${JSON.stringify(value).slice(1, -1)}`;

/** The JSON of a post or page, without its closing brace. */
export const openPost = ({ before, html, after }: PostParts): Open => ({
  head: `${JSON.stringify(before).slice(0, -1)},"html":`,
  body: JSON.stringify(html) as ByteText,
  tail: furtherKeys(after),
});
