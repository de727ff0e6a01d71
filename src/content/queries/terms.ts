// Tags or authors, as what a query asks of them is answered (source.ts): they are few, so their keys are looked through.
// They stand by name. Runtime-neutral, and written so that the oldest of the edge runtimes can run it.
import { countFirst } from '../tree/count-first.ts';
import { decodeLines, encodeText } from '../tree/decode-chunk.ts';
import { findFirst } from '../tree/find-in-directory.ts';
import type { RecordShape } from './list-query.ts';
import type { TermsName } from './resource.ts';
import { readTermCounts, readTermKeys, type Source, type Tree } from './source.ts';
import { type Output, writeObjects } from './write-records.ts';

export const openTerms = (tree: Tree, family: TermsName, shape: RecordShape): Source => {
  const total = tree.root[family].total;
  const source: Omit<Source, 'facets' | 'countNewer'> = {
    store: tree.store,
    root: tree.root,
    total,
    lookUp: (column, value) =>
      readTermKeys(tree, family).then((keys) =>
        [keys[column].indexOf(value)].filter((place) => place !== -1),
      ),
    texts: () => readTermKeys(tree, family).then((value) => [{ from: 0, to: total, value }]),
    numbers: (field) => {
      if (field === 'count.posts') {
        return readTermCounts(tree, family).then((counts) => (place) => counts[place] as number);
      }
      return readTermKeys(tree, family).then((keys) => {
        const texts = keys[field as 'slug' | 'id'];
        const sorted = texts.slice().sort();
        return (place) =>
          countFirst(total, (at) => (sorted[at] as string) < (texts[place] as string));
      });
    },
    write: (places) => writeTerms(tree, family, { places, shape }),
  };
  // Filters of terms ask for nothing else.
  return source as Source;
};

type Wanted = { readonly places: readonly number[]; readonly shape: RecordShape };

const writeTerms = async (tree: Tree, family: TermsName, wanted: Wanted): Promise<Uint8Array[]> => {
  const hasCount = wanted.shape.includes.length > 0;
  const read = await Promise.all([
    Promise.all(wanted.places.map((place) => readLine(tree, family, place))),
    hasCount ? readTermCounts(tree, family) : [],
  ]);
  const writeCount = (output: Output, at: number, part: number): void => {
    const count = read[1][wanted.places[at] as number];
    if (hasCount && part === 1) output.add(encodeText(`"count":{"posts":${count}}`));
  };
  return writeObjects(tree, { lines: read[0], shape: wanted.shape, write: writeCount });
};

const readLine = (tree: Tree, family: TermsName, place: number): Promise<Uint8Array> => {
  const part = findFirst(tree.root[family].records, 0, (entry, from) => place < from + entry[1]);
  return tree.store
    .get(part.blob, decodeLines)
    .then((lines) => lines[place - part.from] as Uint8Array);
};
