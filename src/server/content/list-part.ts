// `limit` and `page` on content lists, which only this server honours (decisions, Content): a part cut out
// of the list's files, with its own meta.pagination.
import { createHash } from 'node:crypto';
import { queryValues } from '../../base/query-values.ts';
import type { Resource } from '../../paths/endpoints.ts';
import { listFile } from '../../paths/files.ts';
import { CHUNKED } from '../connections/pace-streams.ts';
import { type Problem, ProblemError } from '../problem.ts';
import type { OpenFile } from './file-cache.ts';
import { indexList, type ListIndex } from './list-index.ts';
import { createSharedWork } from './shared-work.ts';

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

export type ListPart = {
  readonly bytes: number;
  readonly etag: string;
  /** Its bytes, piece by piece; one file is open at a time. Throws a 503 ProblemError if a list was replaced. */
  readonly chunks: () => AsyncGenerator<Buffer>;
};

/** Ghost's page size, where neither the client nor the lists have one. */
const LIMIT_DEFAULT = 15;
const INDEXES_MAX = 64;

export type ListParts = {
  /** That part, or null when there is no such list. */
  readonly find: (source: ListSource, query: PartQuery) => Promise<ListPart | null>;
};

export const createListParts = (): ListParts => {
  const indexes = new Map<string, ListIndex>();
  const shareIndex = createSharedWork<ListIndex>();
  const indexOf = async (file: OpenFile): Promise<ListIndex> => {
    const known = indexes.get(file.etag);
    if (known !== undefined) return known;
    const index = await shareIndex(file.etag, () => indexList(file));
    const [oldest] = indexes.keys();
    if (indexes.size >= INDEXES_MAX && oldest !== undefined) indexes.delete(oldest);
    indexes.set(file.etag, index);
    return index;
  };
  return { find: (source, query) => planPart(source, query, indexOf) };
};

type IndexOf = (file: OpenFile) => Promise<ListIndex>;

/** Bytes of a file, or bytes between those of files. */
type Piece = Buffer | FileRange;

type FileRange = {
  readonly file: string;
  readonly etag: string;
  readonly start: number;
  readonly end: number;
};

const planPart = async (
  source: ListSource,
  query: PartQuery,
  indexOf: IndexOf,
): Promise<ListPart | null> => {
  const first = await findIndexed(source, 1, indexOf);
  if (first === null) return null;
  const { total, pages: files } = first.index;
  const perFile = Math.max(1, first.index.starts.length);
  const limit = query.limit ?? (files > 1 ? perFile : LIMIT_DEFAULT);
  const size = limit === 'all' ? Math.max(1, total) : limit;
  const from = (query.page - 1) * size;
  const to = Math.min(from + size, total);
  const pieces: Piece[] = [Buffer.from(`{"${source.resource}":[`)];
  for (let at = from; at < to; ) {
    const number = Math.floor(at / perFile) + 1;
    const last = Math.min(to, number * perFile);
    const indexed = await findIndexed(source, number, indexOf);
    const range = indexed && rangeOf(indexed, at % perFile, last - at);
    if (at > from) pieces.push(Buffer.from(','));
    if (range !== null) pieces.push(range);
    at = last;
  }
  const pagination = paginationOf(query.page, { limit, size, total });
  pieces.push(Buffer.from(`],"meta":${JSON.stringify({ pagination })}}`));
  return {
    bytes: pieces.map(bytesOf).reduce((sum, bytes) => sum + bytes, 0),
    etag: etagOf(pieces),
    chunks: () => readPieces(pieces, source.read),
  };
};

const bytesOf = (piece: Piece): number =>
  Buffer.isBuffer(piece) ? piece.length : piece.end - piece.start;

/** Of the same files the part has the same bytes, so they need not be read for its tag. */
const etagOf = (pieces: readonly Piece[]): string => {
  const hash = createHash('sha256');
  for (const piece of pieces) {
    if (Buffer.isBuffer(piece)) hash.update(piece);
    else hash.update(` ${piece.etag} ${piece.start} ${piece.end} `);
  }
  return `"${hash.digest('base64url').slice(0, 27)}"`;
};

async function* readPieces(
  pieces: readonly Piece[],
  read: ListSource['read'],
): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    if (Buffer.isBuffer(piece)) {
      yield piece;
      continue;
    }
    const { start, end } = piece;
    const file = await read(piece.file);
    if (file?.etag !== piece.etag) {
      await file?.handle?.close();
      throw new ProblemError(REPLACED);
    }
    if (file.body !== null) yield file.body.subarray(start, end);
    else if (file.handle !== null) {
      yield* file.handle.createReadStream({ ...CHUNKED, start, end: end - 1 });
    }
  }
}

export const REPLACED: Problem = {
  status: 503,
  type: 'MaintenanceError',
  message: 'The list was replaced while it was read, please try again.',
  headers: { 'retry-after': '1' },
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

type IndexedFile = { readonly file: string; readonly etag: string; readonly index: ListIndex };

const findIndexed = async (
  { resource, variant, read }: ListSource,
  number: number,
  indexOf: IndexOf,
): Promise<IndexedFile | null> => {
  const name = listFile(resource, variant, number);
  const file = await read(name);
  if (file === null) return null;
  try {
    return { file: name, etag: file.etag, index: await indexOf(file) };
  } finally {
    await file.handle?.close();
  }
};

const rangeOf = (
  { file, etag, index }: IndexedFile,
  from: number,
  count: number,
): FileRange | null => {
  const start = index.starts[from];
  const end = index.ends[from + count - 1] ?? index.ends.at(-1);
  return start === undefined || end === undefined ? null : { file, etag, start, end };
};
