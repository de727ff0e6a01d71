// The endpoint table: which resources the content interface has, and which variants each list and each
// record is written in (decisions, Files). Everything that maps addresses to files is made from it.
// Runtime-neutral: this room's files also run at the edge.

export type Resource = 'posts' | 'pages' | 'tags' | 'authors';

/** The resources in the order in which their leaves are written: what is embedded comes first. */
export const RESOURCES: readonly Resource[] = ['authors', 'tags', 'pages', 'posts'];

export type ListVariant = {
  /** File name without `.json`. */
  readonly name: string;
  /** Index of the record variant whose fragments the list holds. */
  readonly record: number;
  /** The list leaves out what is not public (filter=visibility:public). */
  readonly publicOnly: boolean;
};

/** What the query of an address chooses. Edge code is given no more than this of the table. */
export type QueryShape = {
  /** Values of `include` in alphabetical order; a record variant is a subset of them. */
  readonly includes: readonly string[];
  /** The one filter that the interface knows, and its token in file names. */
  readonly filter: { readonly value: string; readonly token: string } | null;
};

export type ResourceShape = QueryShape & {
  /** Names of the variants in which each record is written, by id and by slug. */
  readonly recordVariants: readonly string[];
  readonly listVariants: readonly ListVariant[];
};

const ofContent: QueryShape = { includes: ['authors', 'tags'], filter: null };
const ofTags: QueryShape = {
  includes: ['count.posts'],
  filter: { value: 'visibility:public', token: 'public' },
};
const ofAuthors: QueryShape = { includes: ['count.posts'], filter: null };

export const QUERY_SHAPES: Readonly<Record<Resource, QueryShape>> = {
  posts: ofContent,
  pages: ofContent,
  tags: ofTags,
  authors: ofAuthors,
};

const contentShape: ResourceShape = /* @__PURE__ */ Object.assign({}, ofContent, {
  recordVariants: ['index', 'authors', 'tags', 'authors-tags'],
  listVariants: [
    { name: 'index', record: 0, publicOnly: false },
    { name: 'authors', record: 1, publicOnly: false },
    { name: 'tags', record: 2, publicOnly: false },
    { name: 'authors-tags', record: 3, publicOnly: false },
  ],
});

const countedVariants = ['index', 'count-posts'];

export const SHAPES: Readonly<Record<Resource, ResourceShape>> = {
  posts: contentShape,
  pages: contentShape,
  tags: /* @__PURE__ */ Object.assign({}, ofTags, {
    recordVariants: countedVariants,
    listVariants: [
      { name: 'index', record: 0, publicOnly: false },
      { name: 'count-posts', record: 1, publicOnly: false },
      { name: 'public', record: 0, publicOnly: true },
      { name: 'public-count-posts', record: 1, publicOnly: true },
    ],
  }),
  authors: /* @__PURE__ */ Object.assign({}, ofAuthors, {
    recordVariants: countedVariants,
    listVariants: [
      { name: 'index', record: 0, publicOnly: false },
      { name: 'count-posts', record: 1, publicOnly: false },
    ],
  }),
};

/** Name of a variant: filter token, then include values in alphabetical order; nothing: `index`. */
export const variantName = (filterToken: string | null, includes: readonly string[]): string => {
  const tokens = (filterToken === null ? [] : [filterToken]).concat(
    includes.map((include) => include.replace('.', '-')),
  );
  return tokens.length === 0 ? 'index' : tokens.join('-');
};
