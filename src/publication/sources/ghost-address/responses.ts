// What the content interface answers, checked as far as it is relied on.
import * as z from 'zod';
import { PrepressError } from '../../../base/errors.ts';
import type { RawRow } from '../source.ts';
import type { ContentClient } from './content-client.ts';

const ID = /^(?:[0-9a-f]{24}|1)$/;

const record = z.looseObject({ id: z.string().regex(ID) });
const embedded = z.array(record).optional();

const post = z.looseObject({
  id: z.string().regex(ID),
  updated_at: z.string().nullish(),
  visibility: z.string().optional(),
  tags: embedded,
  authors: embedded,
  tiers: embedded,
});

/** More than any site has: ten million records. */
const PAGES_MAX = 100_000;

const pagination = z.looseObject({
  page: z.number(),
  pages: z.number().max(PAGES_MAX),
  total: z.number(),
});

const listOf = <T extends z.ZodType>(schema: T) =>
  z.looseObject({ meta: z.looseObject({ pagination }), records: z.array(schema) });

const LISTS = { post: listOf(post), record: listOf(record) };

export type ContentRecord = z.output<typeof record> & RawRow;
export type ContentPost = z.output<typeof post> & RawRow;

/** `isCut`: a part of the body was left out of `html`, and of `plaintext` if that is there. */
export type WholePost = ContentPost & { readonly isCut: boolean };

const settings = z.looseObject({ settings: z.record(z.string(), z.unknown()) });

/** As many are asked for at once; no Ghost gives more. */
export const PAGE_RECORDS = 100;
const TRIES = 5;

type ListOptions = {
  readonly query?: Readonly<Record<string, string>>;
};

/** Posts or pages; as `listRecords`. */
export const listPosts = (
  client: ContentClient,
  resource: 'posts' | 'pages',
  options: ListOptions = {},
): Promise<ContentPost[]> =>
  listAll(client, { resource, kind: 'post', ...options }) as Promise<ContentPost[]>;

/**
 * All records of a list, page by page. A list that changes meanwhile, so that a record comes twice or not at all, is
 * read again. Throws as the client does, and SOURCE_NOT_GHOST.
 */
export const listRecords = (
  client: ContentClient,
  resource: 'tags' | 'authors' | 'tiers',
  options: ListOptions = {},
): Promise<ContentRecord[]> => listAll(client, { resource, kind: 'record', ...options });

type Listing = ListOptions & {
  readonly resource: string;
  readonly kind: keyof typeof LISTS;
};

const listAll = async (client: ContentClient, listing: Listing): Promise<ContentRecord[]> => {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const records = await listOnce(client, listing);
    if (records !== null) return records;
  }
  throw changesTooFast(listing.resource);
};

export const changesTooFast = (what: string): PrepressError =>
  new PrepressError('SOURCE_BUSY', `The ${what} of the site change faster than they can be read.`);

const listOnce = async (
  client: ContentClient,
  { resource, kind, query = {} }: Listing,
): Promise<ContentRecord[] | null> => {
  const records = new Map<string, ContentRecord>();
  let count = 0;
  let total: number | null = null;
  let pages = 1;
  for (let page = 1; page <= pages; page += 1) {
    // By id, so that what is published meanwhile comes last and moves little.
    const asked = { order: 'id asc', ...query, limit: String(PAGE_RECORDS), page: String(page) };
    const { body } = await client.read(resource, asked);
    const answer = readList(resource, kind, body);
    total ??= answer.meta.pagination.total;
    if (answer.meta.pagination.total !== total) return null;
    const known = records.size;
    for (const one of answer.records) records.set(one.id, one);
    count += answer.records.length;
    // Of tags, a page may be empty.
    const isRepeated = answer.records.length > 0 && records.size === known;
    if (page > 1 && (isRepeated || answer.meta.pagination.pages !== pages)) throw endless(resource);
    pages = answer.meta.pagination.pages;
  }
  // Ghost's total of tags counts those that it leaves out.
  const isWhole = resource === 'tags' || records.size === total;
  return records.size === count && isWhole ? [...records.values()] : null;
};

/**
 * Posts or pages with these ids, whole, in any order; those that are gone are left out, and those that change meanwhile.
 * Asked for html alone, Ghost adds the plain text of a body that it cut, and of no other.
 */
export const readPosts = async (
  client: ContentClient,
  resource: 'posts' | 'pages',
  ids: readonly string[],
): Promise<WholePost[]> => {
  const shown = await readFormats(client, { resource, ids, formats: 'html' });
  const uncut = shown.filter((one) => isPublic(one) && one.html && !('plaintext' in one));
  const texts = new Map<string, ContentPost>();
  if (uncut.length > 0) {
    const asked = { resource, ids: uncut.map(({ id }) => id), formats: 'html,plaintext' };
    for (const one of await readFormats(client, asked)) texts.set(one.id, one);
  }
  return shown.flatMap((one): WholePost[] => {
    if (!uncut.includes(one)) return [{ ...one, isCut: typeof one.html === 'string' }];
    const text = texts.get(one.id);
    if (text === undefined || text.updated_at !== one.updated_at) return [];
    return [{ ...text, isCut: false }];
  });
};

export const isPublic = ({ visibility }: ContentPost): boolean =>
  visibility === undefined || visibility === 'public';

type Asked = {
  readonly resource: 'posts' | 'pages';
  readonly ids: readonly string[];
  readonly formats: string;
};

const readFormats = async (
  client: ContentClient,
  { resource, ids, formats }: Asked,
): Promise<ContentPost[]> => {
  const filter = `id:[${ids.join(',')}]`;
  const { body } = await client.read(resource, { filter, formats, limit: String(PAGE_RECORDS) });
  return readList(resource, 'post', body).records;
};

const readList = <K extends keyof typeof LISTS>(
  resource: string,
  kind: K,
  body: unknown,
): z.output<(typeof LISTS)[K]> => {
  const lists = typeof body === 'object' && body !== null ? (body as RawRow) : {};
  const parsed = LISTS[kind].safeParse({ meta: lists.meta, records: lists[resource] });
  if (parsed.success) return parsed.data as z.output<(typeof LISTS)[K]>;
  throw notGhost(`a list of ${resource}`);
};

const endless = (resource: string): PrepressError =>
  new PrepressError(
    'SOURCE_NOT_GHOST',
    `The list of ${resource} that the site answers with does not end, or repeats itself.`,
  );

const notGhost = (what: string): PrepressError =>
  new PrepressError('SOURCE_NOT_GHOST', `The site does not answer with ${what} as Ghost does.`);

export type ContentSettings = {
  readonly values: Readonly<Record<string, unknown>>;
  /** As `6.65`. */
  readonly version: string | null;
  readonly nowMs: number;
};

export const readSettings = async (client: ContentClient): Promise<ContentSettings> => {
  const { body, version, nowMs } = await client.read('settings');
  const parsed = settings.safeParse(body);
  if (!parsed.success) throw notGhost('settings');
  const values = parsed.data.settings;
  const stated = typeof values.version === 'string' ? values.version : null;
  return { values, version: stated ?? version, nowMs };
};
