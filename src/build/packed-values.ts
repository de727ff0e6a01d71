// Rendered records as the packed tree takes them.
import type { PostFacts, RecordFacts, TermFacts } from '../documents/fragment.ts';
import type { PackedPlace, PackedRecord, PackedTerm } from '../packed/records.ts';
import type { RecordEntry } from '../store/manifest.ts';
import type { Rendered } from './rendered-batch.ts';

const CLOSE = Buffer.from('}');

const isPost = (facts: RecordFacts): facts is PostFacts => 'flags' in facts;

/** A copy: the bytes of a rendered record are used again. */
export const packedRecord = (rendered: Rendered): PackedRecord => {
  const { shared, body, plain } = rendered;
  const [from, to] = body;
  return withFacts(rendered, {
    line: Buffer.concat([shared, CLOSE]),
    card: Buffer.concat([shared.subarray(0, from), shared.subarray(to), CLOSE]),
    plain: Buffer.from(plain),
  });
};

/** Returns a function that gives the same in memory that the next record uses again. */
export const passingRecords = (): ((rendered: Rendered) => PackedRecord) => {
  const known = new Map<string, string>();
  /** The same text each time: many records have it, and some thousands of them are kept. */
  const shareOne = (id: string): string => {
    const shared = known.get(id);
    if (shared === undefined) known.set(id, id);
    return shared ?? id;
  };
  let scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES);
  const concat = (at: number, pieces: readonly Uint8Array[]): number =>
    pieces.reduce((end, piece) => {
      scratch.set(piece, end);
      return end + piece.length;
    }, at);
  return (rendered) => {
    const { shared, body, plain } = rendered;
    const [from, to] = body;
    const size = (shared.length + CLOSE.length) * 2;
    if (size > scratch.length) scratch = Buffer.allocUnsafeSlow(size * 2);
    const line = concat(0, [shared, CLOSE]);
    const card = concat(line, [shared.subarray(0, from), shared.subarray(to), CLOSE]);
    const texts = { line: scratch.subarray(0, line), card: scratch.subarray(line, card), plain };
    return withFacts(rendered, texts, shareOne);
  };
};

const SCRATCH_BYTES = 256 * 1024;

type Texts = Pick<PackedRecord, 'line' | 'card' | 'plain'>;

const withFacts = (
  { entry, facts }: Rendered,
  texts: Texts,
  share: (id: string) => string = (id) => id,
): PackedRecord => {
  if (!isPost(facts)) throw new Error(`${entry.id} is neither a post nor a page.`);
  // Spelled out, like all that is made for each record: copied objects take several times the memory.
  return {
    id: entry.id,
    ms: entry.ms,
    created: facts.created,
    updated: facts.updated,
    flags: facts.flags,
    tags: facts.tags.map(share),
    authors: facts.authors.map(share),
    title: facts.title,
    slug: entry.slug,
    uuid: facts.uuid,
    line: texts.line,
    card: texts.card,
    plain: texts.plain,
  };
};

export const packedTerm = ({ entry, shared, facts }: Rendered): PackedTerm => {
  if (isPost(facts)) throw new Error(`${entry.id} is neither a tag nor an author.`);
  const { slug, name, visibility, posts, embedded }: TermFacts = facts;
  return { id: entry.id, slug, name, visibility, posts, embedded, line: `${shared}}` };
};

export const packedPlace = ({ id, ms, title, slug }: RecordEntry): PackedPlace => ({
  id,
  ms,
  title,
  slug,
});
