// The answers of declared queries, part by part and page by page: those that a build writes as files, and those whose
// cost is told before. A part of a query is one that has pages of its own: the whole query, or, of a pattern, each slug.

import { rawQueryOfDeclared } from '../config/declared-queries.ts';
import {
  type DeclaredQuery,
  declaredFile,
  isPatternSlug,
  UNKNOWN_SEGMENT,
} from '../paths/declared-queries.ts';
import type { ListPages } from '../paths/list-pages.ts';
import { composed, isFileName } from '../paths/plain-segment.ts';
import { answerQuery } from '../queries/answer.ts';
import { type ListQuery, parseListQuery } from '../queries/list-query.ts';
import { putSlug } from '../queries/slug-pattern.ts';
import { readTermKeys } from '../queries/source.ts';
import type { Root } from '../queries/tree.ts';
import type { TreeStore } from '../queries/tree-store.ts';
import type { Manifest } from '../store/manifest.ts';

export type PagesSource = {
  readonly store: TreeStore;
  readonly root: Root;
  readonly segmentOf: (family: 'tags' | 'authors', slug: string) => string | null;
};

/** Finds the stored name of a slug; null for one that no file can be named after. */
export const openSegments = (
  manifest: Pick<Manifest, 'storedSegments'>,
): PagesSource['segmentOf'] => {
  const stored = new Map(
    manifest
      .storedSegments()
      .map(({ resource, slug, segment }) => [`${resource}/${slug}`, segment]),
  );
  return (family, slug) =>
    stored.get(`${family}/${slug}`) ?? (isFileName(slug) ? composed(slug) : null);
};

export type DeclaredPart = {
  readonly query: DeclaredQuery;
  /** As in {@link DeclaredPlace}. */
  readonly segment: string | null;
  /** Of the tags or authors that have the slug. */
  readonly ids: readonly string[];
  /** What is asked; the page is another one each time. */
  readonly asked: ListQuery;
};

/** No record has it: what is no Unicode is replaced in slugs. */
const NO_SLUG = '\ud800';

/** The parts of a query, for the tags and authors that the tree has. */
export const partsOf = async (
  { store, root, segmentOf }: PagesSource,
  query: DeclaredQuery,
): Promise<DeclaredPart[]> => {
  const asked = parseListQuery(query.resource, rawQueryOfDeclared(query), {
    max: root.max,
    nowMs: 0,
  });
  const { pattern } = query;
  const { filter } = asked;
  if (pattern === null || filter === null) return [{ query, segment: null, ids: [], asked }];
  const family = pattern === 'tag' ? 'tags' : 'authors';
  const keys = await readTermKeys({ store, root }, family);
  const idsBySlug = new Map<string, string[]>();
  for (const [at, slug] of keys.slug.entries()) {
    const ids = idsBySlug.get(slug) ?? [];
    idsBySlug.set(slug, [...ids, keys.id[at] as string]);
  }
  const partOf = (slug: string, segment: string, ids: readonly string[]): DeclaredPart => ({
    query,
    segment,
    ids,
    asked: { ...asked, filter: putSlug(filter, slug) },
  });
  const parts = [...idsBySlug].flatMap(([slug, ids]) => {
    const segment = segmentOf(family, slug);
    return segment === null || !isPatternSlug(slug) ? [] : [partOf(slug, segment, ids)];
  });
  return [partOf(NO_SLUG, UNKNOWN_SEGMENT, []), ...parts];
};

export type DeclaredPage = {
  /** Relative to the content folder. */
  readonly file: string;
  /** Null: the page was not asked for. */
  readonly body: readonly Uint8Array[] | null;
};

/** All pages of a part that are files, those of them asked that `isAsked` names. */
export async function* pagesOf(
  { store, root }: Pick<PagesSource, 'store' | 'root'>,
  { query, segment, asked }: DeclaredPart,
  isAsked: (file: string, page: number) => boolean,
): AsyncGenerator<DeclaredPage> {
  const isWhole = asked.filter === null;
  let files = isWhole
    ? filesOf(query.pages, countPages(root[query.resource].total, asked.limit))
    : 1;
  for (let page = 1; page <= files; page += 1) {
    const file = declaredFile(query, { page, segment });
    const isNeeded = (page === 1 && !isWhole) || isAsked(file, page);
    const body = isNeeded ? await answerQuery(store, query.resource, { ...asked, page }) : null;
    if (page === 1 && !isWhole && body !== null) files = filesOf(query.pages, pagesIn(body));
    yield { file, body };
  }
}

const countPages = (total: number, limit: number): number => Math.max(1, Math.ceil(total / limit));

/** Where no code runs, the page after the last one is a file, too: whoever follows pages until one is empty finds it. */
export const filesOf = (pages: ListPages, count: number): number =>
  pages === 'all' ? count + 1 : Math.min(pages, count + 1);

/** What the end of an answer says. */
const pagesIn = (body: readonly Uint8Array[]): number => {
  const ending = Buffer.from(body.at(-1) ?? []).toString('utf8');
  const meta = JSON.parse(ending.replace(/^\],"meta":/, '').slice(0, -1)) as {
    readonly pagination: { readonly pages: number };
  };
  return meta.pagination.pages;
};
