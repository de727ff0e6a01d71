// Rendered records as the packed tree takes them.
import type { PostFacts, RecordFacts, TermFacts } from '../documents/fragment.ts';
import type { PackedPlace, PackedRecord, PackedTerm } from '../packed/records.ts';
import type { RecordEntry } from '../store/manifest.ts';
import type { Rendered } from './rendered-batch.ts';

const CLOSE = Buffer.from('}');

const isPost = (facts: RecordFacts): facts is PostFacts => 'flags' in facts;

/** A copy: the bytes of a rendered record are used again. */
export const packedRecord = ({ entry, shared, facts, plain, body }: Rendered): PackedRecord => {
  if (!isPost(facts)) throw new Error(`${entry.id} is neither a post nor a page.`);
  const { isGated: _isGated, ...rest } = facts;
  const [from, to] = body;
  return {
    ...rest,
    id: entry.id,
    ms: entry.ms,
    line: Buffer.concat([shared, CLOSE]),
    card: Buffer.concat([shared.subarray(0, from), shared.subarray(to), CLOSE]),
    plain: Buffer.from(plain),
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
