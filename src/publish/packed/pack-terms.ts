// Packs tags or authors. They are few: after an edit all of them are put together anew, from the blobs that stand.
import { compareCodeUnits, compareText } from '../../base/text/collation.ts';
import type { PackedTerm } from '../../content/tree/records.ts';
import type { BlobName, TermKeys, Terms } from '../../content/tree/tree.ts';
import type { Blobs } from './blobs.ts';
import { type Levels, opensAt } from './boundaries.ts';
import { decodeJson, encodeJson } from './directories.ts';
import { differs } from './edit-pieces.ts';

type Tools = { readonly blobs: Blobs; readonly levels: Levels };

export const packTerms = ({ blobs, levels }: Tools, terms: readonly PackedTerm[]): Terms => {
  const byName = [...terms].sort(
    (one, other) => compareText(one.name, other.name) || compareCodeUnits(one.id, other.id),
  );
  const byId = [...terms].sort((one, other) => compareCodeUnits(one.id, other.id));
  const keys: TermKeys = {
    id: byName.map(({ id }) => id),
    slug: byName.map(({ slug }) => slug),
    name: byName.map(({ name }) => name),
    visibility: byName.map(({ visibility }) => visibility),
  };
  const lines = (
    ordered: readonly PackedTerm[],
    lineOf: (term: PackedTerm) => string,
  ): [BlobName, number][] =>
    cutTerms(ordered, levels, lineOf).map(({ text, terms: count }) => [
      blobs.put(Buffer.from(text), '.txt'),
      count,
    ]);
  return {
    total: terms.length,
    keys: blobs.put(encodeJson(keys), '.txt'),
    counts: blobs.put(encodeJson(byName.map(({ posts }) => posts)), '.txt'),
    records: lines(byName, ({ line }) => line),
    embedded: lines(byId, ({ id, embedded }) => id + embedded),
  };
};

type Chunk = { readonly text: string; readonly terms: number };

const cutTerms = (
  terms: readonly PackedTerm[],
  { terms: level }: Levels,
  lineOf: (term: PackedTerm) => string,
): Chunk[] => {
  const chunks: Chunk[] = [];
  let lines: string[] = [];
  let bytes = 0;
  const flush = (): void => {
    if (lines.length > 0) chunks.push({ text: lines.join('\n'), terms: lines.length });
    lines = [];
    bytes = 0;
  };
  for (const term of terms) {
    const line = lineOf(term);
    const size = Buffer.byteLength(line);
    const isFull = lines.length >= level.recordsMax || bytes + size > level.bytesMax;
    if (isFull || opensAt(term.id, level)) flush();
    lines.push(line);
    bytes += size;
  }
  flush();
  return chunks;
};

/** A tag or author that is there now, or is none any more. */
export type TermEdit = { readonly id: string; readonly after: PackedTerm | null };

/** Throws OUTPUT_DIFFERS when a blob that is needed is gone or says something else. */
export const editTerms = (tools: Tools, terms: Terms, edits: readonly TermEdit[]): Terms => {
  if (edits.length === 0) return terms;
  const all = new Map(readTerms(tools.blobs, terms).map((term) => [term.id, term]));
  const chunks = [...terms.records, ...terms.embedded].map(([name]) => name);
  for (const name of [terms.keys, terms.counts, ...chunks]) tools.blobs.drop(name);
  for (const { id, after } of edits) {
    if (after === null) all.delete(id);
    else all.set(id, after);
  }
  return packTerms(tools, [...all.values()]);
};

const ID_DIGITS = 24;

const readTerms = (blobs: Blobs, terms: Terms): PackedTerm[] => {
  const textOf = (name: BlobName): string => blobs.read(name).toString('utf8');
  const linesOf = (chunks: Terms['records']): string[] =>
    chunks.flatMap(([name, count]) => (count === 0 ? [] : textOf(name).split('\n')));
  const keys = decodeJson<TermKeys>(blobs.read(terms.keys));
  const counts = decodeJson<number[]>(blobs.read(terms.counts));
  const lines = linesOf(terms.records);
  const embedded = new Map(
    linesOf(terms.embedded).map((line) => [line.slice(0, ID_DIGITS), line.slice(ID_DIGITS)]),
  );
  const isWhole = [keys.id, counts, lines, [...embedded]].every(
    ({ length }) => length === terms.total,
  );
  if (!isWhole) throw differs();
  return keys.id.map((id, at) => ({
    id,
    slug: keys.slug[at] as string,
    name: keys.name[at] as string,
    visibility: keys.visibility[at] as string,
    posts: counts[at] as number,
    line: lines[at] as string,
    embedded: embedded.get(id) as string,
  }));
};
