// `limit` and `page` on content lists, which only this server honours (decisions, Content): a part cut out
// of the list's files, with its own meta.pagination.
import type { Resource } from '../../paths/endpoints.ts';
import { listFile } from '../../paths/files.ts';
import { queryValues } from '../../paths/query.ts';
import { ProblemError } from '../problem.ts';
import type { OpenFile } from './file-cache.ts';
import { indexList, type ListIndex, readRange } from './list-index.ts';

export type PartQuery = { readonly limit: number | 'all' | null; readonly page: number };

/** Null when the query asks for no part. Throws a 422 ProblemError. */
export const parsePartQuery = (rawQuery: string): PartQuery | null => {
  const [limit] = queryValues(rawQuery, 'limit');
  const [page] = queryValues(rawQuery, 'page');
  if (limit === undefined && page === undefined) return null;
  return { limit: parseLimit(limit?.trim() ?? ''), page: Math.max(1, parseNumber('page', page)) };
};

const parseLimit = (text: string): number | 'all' | null => {
  if (text.toLowerCase() === 'all') return 'all';
  return parseNumber('limit', text === '' ? '0' : text) || null;
};

const NUMBER_MAX = 1_000_000_000;

const parseNumber = (property: string, text = '1'): number => {
  if (/^\d+$/.test(text.trim())) return Math.min(Number(text), NUMBER_MAX);
  const message = `Validation error, cannot list records: ${property} must be a number.`;
  throw new ProblemError({ status: 422, type: 'ValidationError', message, property });
};

export type ListSource = {
  readonly resource: Resource;
  /** Name of the variant: `index`, `authors-tags`, ... */
  readonly variant: string;
  readonly read: (file: string) => Promise<OpenFile | null>;
};

/** Ghost's page size, where neither the client nor the lists have one. */
const LIMIT_DEFAULT = 15;
const INDEXES_MAX = 64;

export type ListParts = {
  /** The body of that part, or null when there is no such list. */
  readonly body: (source: ListSource, query: PartQuery) => Promise<Buffer | null>;
};

export const createListParts = (): ListParts => {
  const indexes = new Map<string, ListIndex>();
  const indexOf = async (file: OpenFile): Promise<ListIndex> => {
    const known = indexes.get(file.etag);
    if (known !== undefined) return known;
    const index = await indexList(file);
    const [oldest] = indexes.keys();
    if (indexes.size >= INDEXES_MAX && oldest !== undefined) indexes.delete(oldest);
    indexes.set(file.etag, index);
    return index;
  };
  return { body: (source, query) => makePart(source, query, indexOf) };
};

type IndexOf = (file: OpenFile) => Promise<ListIndex>;

const makePart = async (
  source: ListSource,
  query: PartQuery,
  indexOf: IndexOf,
): Promise<Buffer | null> => {
  const first = await withFile(source, 1, indexOf);
  if (first === null) return null;
  const { total, pages: files } = first.index;
  const perFile = Math.max(1, first.index.starts.length);
  const limit = query.limit ?? (files > 1 ? perFile : LIMIT_DEFAULT);
  const size = limit === 'all' ? Math.max(1, total) : limit;
  const from = (query.page - 1) * size;
  const to = Math.min(from + size, total);
  const pieces: Buffer[] = [Buffer.from(`{"${source.resource}":[`)];
  await first.close();
  for (let at = from; at < to; ) {
    const number = Math.floor(at / perFile) + 1;
    const last = Math.min(to, number * perFile);
    const bytes = await readRecords(
      source,
      { number, from: at % perFile, count: last - at },
      indexOf,
    );
    if (at > from) pieces.push(Buffer.from(','));
    pieces.push(bytes);
    at = last;
  }
  const pagination = paginationOf(query.page, { limit, size, total });
  pieces.push(Buffer.from(`],"meta":${JSON.stringify({ pagination })}}`));
  return Buffer.concat(pieces);
};

const paginationOf = (
  page: number,
  { limit, size, total }: { limit: number | 'all'; size: number; total: number },
) => {
  const pages = Math.max(1, Math.ceil(total / size));
  const prev = Math.min(page - 1, pages);
  return {
    page,
    limit,
    pages,
    total,
    next: page < pages ? page + 1 : null,
    prev: prev >= 1 ? prev : null,
  };
};

type IndexedFile = {
  readonly file: OpenFile;
  readonly index: ListIndex;
  readonly close: () => Promise<void>;
};

const withFile = async (
  { resource, variant, read }: ListSource,
  number: number,
  indexOf: IndexOf,
): Promise<IndexedFile | null> => {
  const file = await read(listFile(resource, variant, number));
  if (file === null) return null;
  const close = async (): Promise<void> => file.handle?.close();
  try {
    return { file, index: await indexOf(file), close };
  } catch (error) {
    await close();
    throw error;
  }
};

const readRecords = async (
  source: ListSource,
  part: { readonly number: number; readonly from: number; readonly count: number },
  indexOf: IndexOf,
): Promise<Buffer> => {
  const indexed = await withFile(source, part.number, indexOf);
  if (indexed === null) return Buffer.alloc(0);
  try {
    const start = indexed.index.starts[part.from];
    const end = indexed.index.ends[part.from + part.count - 1] ?? indexed.index.ends.at(-1);
    if (start === undefined || end === undefined) return Buffer.alloc(0);
    return await readRange(indexed.file, start, end);
  } finally {
    await indexed.close();
  }
};
