// Rendered records as the packed tree takes them.
import type { PackedPlace, PackedRecord, PackedTerm } from '../../../content/tree/records.ts';
import { VISIBILITIES, VISIBILITY_SHIFT } from '../../../content/tree/tree.ts';
import type { PostFacts, RecordFacts, TermFacts } from '../../../publication/documents/fragment.ts';
import type { RecordEntry } from '../../manifest/manifest.ts';
import type { Rendered } from './rendered-batch.ts';

const isPost = (facts: RecordFacts): facts is PostFacts => 'flags' in facts;

/** A copy: the bytes of a rendered record are used again. */
export const packedRecord = (rendered: Rendered): PackedRecord => {
  const { record, body, plain } = rendered;
  const [from, to] = body;
  return withFacts(rendered, {
    line: Buffer.from(record),
    card: Buffer.concat([record.subarray(0, from), record.subarray(to)]),
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
  return (rendered) => {
    const { record, body, plain } = rendered;
    const [from, to] = body;
    if (record.length > scratch.length) scratch = Buffer.allocUnsafeSlow(record.length * 2);
    scratch.set(record.subarray(0, from));
    scratch.set(record.subarray(to), from);
    const card = scratch.subarray(0, from + record.length - to);
    return withFacts(rendered, { line: record, card, plain }, shareOne);
  };
};

const SCRATCH_BYTES = 256 * 1024;

type Texts = { readonly [K in 'line' | 'card' | 'plain']: Buffer };

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
    tiers: facts.tiers,
    title: facts.title,
    slug: entry.slug,
    uuid: facts.uuid,
    line: texts.line,
    card: closedCard(texts.card, facts),
    plain: texts.plain,
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

/**
 * A card, a record without html, of a body that was cut: in Ghost's shape it shows neither excerpt nor plain text, since
 * Ghost finds the paywall in html alone. The same card where nothing is to be left out.
 */
const closedCard = (card: Buffer, { isGated, flags, tiers }: PostFacts): Buffer => {
  const isPublic = ((flags >> VISIBILITY_SHIFT) & 3) === VISIBILITIES.indexOf('public');
  if (!isGated || isPublic || tiers === undefined) return card;
  // Rendered a moment ago.
  const record = JSON.parse(card.toString()) as Record<string, unknown>;
  const shown = ['excerpt', 'plaintext'].filter((name) => name in record);
  for (const name of shown) record[name] = '';
  return Buffer.from(JSON.stringify(record));
};
