// Fields of filters that are about the tags and authors of a post or page. Runtime-neutral, and written so that the oldest
// of the edge runtimes can run it.

import { createReader } from '../tree/columns.ts';
import { idBytes, markCodes } from '../tree/decode-columns.ts';
import type { TermKeys } from '../tree/tree.ts';
import { type Leaf, not } from './condition.ts';
import type { TermsName } from './resource.ts';
import { readTermCounts, readTermKeys } from './source.ts';
import { type Field, isText, type TextTest, testOf } from './text-match.ts';

type TermField = {
  readonly family: TermsName;
  readonly isPrimary: boolean;
  readonly column: keyof TermKeys;
};

export const terms = (field: TermField): Field => {
  const family = field.family;
  const column = field.column;
  const isSearched = column === 'slug' || column === 'name';
  return (asked) => {
    const test = testOf(asked, column, isSearched);
    if (test === null) return null;
    const isAny = asked.operator === '=';
    // As in Ghost: not some text means that another tag lacks it, and not some primary tag that another one is there.
    const isOfOthers = field.isPrimary || isText(asked);
    const found: Leaf = {
      open: openTerms(field, test),
      ...(isOfOthers && { opposite: { open: openTerms(field, others(test)) } }),
    };
    if (isAny && asked.hasNull) {
      return { kind: 'any', parts: [found, not({ open: openTerms(field, () => () => true) })] };
    }
    const isUnique = column === 'slug' || column === 'id';
    if (!isAny || !isUnique || field.isPrimary || asked.values.length !== 1) return found;
    const value = String(asked.values[0]);
    return {
      open: found.open,
      count: (source) =>
        Promise.all([readTermKeys(source, family), readTermCounts(source, family)]).then(
          (read) => read[1][read[0][column].indexOf(value)] || 0,
        ),
    };
  };
};

const others = (test: TextTest): TextTest => {
  return (texts) => {
    const passes = test(texts);
    return (at) => !passes(at);
  };
};

/** Some tag or author (the primary one) passes. */
const openTerms = (field: TermField, passes: TextTest): Leaf['open'] => {
  const family = field.family;
  const isPrimary = field.isPrimary;
  return (source, range) =>
    Promise.all([readTermKeys(source, family), source.facets(range)]).then((read) => {
      const keys = read[0];
      const passesAt = passes(keys);
      // A first tag that is not public is no primary one; authors are public.
      const ids = keys.id.filter(
        (_id, place) => passesAt(place) && (!isPrimary || keys.visibility[place] === 'public'),
      );
      const idsWanted = ids.map(idBytes);
      return createReader(read[1], (facets) => {
        const links = facets[family];
        const isWanted = markCodes(links.dictionary, idsWanted);
        return (at) => {
          const first = links.starts[at] as number;
          const all = links.starts[at + 1] as number;
          const end = isPrimary ? Math.min(first + 1, all) : all;
          for (let link = first; link < end; link += 1) {
            if (isWanted[links.codes[link] as number] === 1) return true;
          }
          return false;
        };
      });
    });
};
