// The flags that the packed tree keeps of a post or page, for filters: what is featured, who may read it, and which of
// its nullable fields have a value.
import {
  FEATURED_BIT,
  NULLABLE,
  NULLABLE_SHIFT,
  VISIBILITIES,
  VISIBILITY_SHIFT,
} from '../../content/tree/tree.ts';

type Flagged = Readonly<Record<(typeof NULLABLE)[number], unknown>> & {
  readonly featured: boolean;
  readonly visibility: (typeof VISIBILITIES)[number];
};

export const flagsOf = (record: Flagged): number => {
  const featured = record.featured ? FEATURED_BIT : 0;
  const visibility = VISIBILITIES.indexOf(record.visibility) << VISIBILITY_SHIFT;
  return NULLABLE.reduce(
    (flags, name, at) => (record[name] === null ? flags : flags | (1 << (NULLABLE_SHIFT + at))),
    featured | visibility,
  );
};
