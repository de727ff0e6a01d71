// Rendered records as the packed tree takes them.

import type { PackedPlace, PackedRecord, PackedTerm } from '../../../content/tree/records.ts';
import type { PostFacts, RecordFacts, TermFacts } from '../../../publication/documents/fragment.ts';
import type { RecordEntry } from '../../manifest/manifest.ts';
import { closedCard } from './closed-card.ts';
import type { Rendered } from './rendered-batch.ts';

const isPost = (facts: RecordFacts): facts is PostFacts => 'flags' in facts;

/** A copy: the bytes of a rendered record are used again. */
export const packedRecord = ({ entry, facts, record, body, plain }: Rendered): PackedRecord => {
  if (!isPost(facts)) throw new Error(`${entry.id} is neither a post nor a page.`);
  const [from, to] = body;
  // Spelled out, like all that is made for each record: copied objects take several times the memory.
  return {
    id: entry.id,
    ms: entry.ms,
    created: facts.created,
    updated: facts.updated,
    flags: facts.flags,
    tags: facts.tags,
    authors: facts.authors,
    tiers: facts.tiers,
    title: facts.title,
    slug: entry.slug,
    uuid: facts.uuid,
    line: Buffer.from(record),
    card: closedCard(Buffer.concat([record.subarray(0, from), record.subarray(to)]), facts),
    plain: Buffer.from(plain),
  };
};

export const packedTerm = ({ entry, record, facts }: Rendered): PackedTerm => {
  if (isPost(facts)) throw new Error(`${entry.id} is neither a tag nor an author.`);
  const { slug, name, visibility, posts, embedded }: TermFacts = facts;
  return { id: entry.id, slug, name, visibility, posts, embedded, line: String(record) };
};

export const packedPlace = ({ id, ms, title, slug }: RecordEntry): PackedPlace => ({
  id,
  ms,
  title,
  slug,
});
