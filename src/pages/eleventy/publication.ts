// The publication as templates see it. Everything is read from files that were emitted, so a page can show nothing that
// the interface does not; and only when a template asks for it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { PrepressError } from '../../base/errors.ts';
import type { Resource } from '../../content/paths/endpoints.ts';
import { SETTINGS_FILE, SUMMARY_FILE } from '../../content/paths/files.ts';
import { NO_SITE, type Site } from '../site/site.ts';
import type { SiteRecords } from '../site/site-records.ts';
import { type Endpoint, listEndpoints } from './endpoint-links.ts';
import type { OneRecord } from './host-run.ts';
import { readTreeRecords, type TreeRecord } from './tree-records.ts';

type Document = Readonly<Record<string, unknown>>;

export type Publication = {
  /** Whole lists, with all includes; read at once into memory. */
  readonly posts: readonly Document[];
  readonly pages: readonly Document[];
  readonly tags: readonly Document[];
  readonly authors: readonly Document[];
  /** The newest ten posts, without reading the rest. */
  readonly newest: readonly Document[];
  readonly settings: Document;
  readonly counts: Readonly<Record<Resource, number>>;
  readonly endpoints: readonly Endpoint[];
  /** Empty, or a path such as /blog. */
  readonly basePath: string;
  readonly site: Site;
};

export const NEWEST = 10;

type PublicationOptions = {
  /** The content folder in the output. */
  readonly folder: string;
  readonly basePath: string;
  /** Plans the pages for readers; absent while they are off. */
  readonly planSite?: ((records: SiteRecords) => Site) | undefined;
  /** In place of all records. */
  readonly only?: OneRecord | undefined;
};

export const createPublication = ({
  folder,
  basePath,
  planSite,
  only,
}: PublicationOptions): Publication => {
  const records = (resource: Resource): Iterable<TreeRecord> =>
    only === undefined ? readTreeRecords(folder, resource) : onlyOf(only, resource);
  const publication: Publication = lazy<Publication>({
    posts: () => [...records('posts')],
    pages: () => [...records('pages')],
    tags: () => [...records('tags')],
    authors: () => [...records('authors')],
    newest: () => firstOf(records('posts'), NEWEST),
    settings: () => readDocument(folder, SETTINGS_FILE).settings,
    counts: () => readDocument(folder, SUMMARY_FILE).counts,
    endpoints: () =>
      listEndpoints({
        basePath,
        findExample: (resource) => {
          const [first] = firstOf(readTreeRecords(folder, resource), 1);
          return first === undefined ? null : { id: String(first.id), slug: String(first.slug) };
        },
      }),
    basePath: () => basePath,
    // The records are documents of the interface, as the build wrote them.
    site: () => planSite?.(publication as unknown as SiteRecords) ?? NO_SITE,
  });
  return publication;
};

/** The records are documents of the interface, as the build wrote them. */
export const siteRecordsIn = (folder: string): SiteRecords =>
  createPublication({ folder, basePath: '' }) as unknown as SiteRecords;

/**
 * An object whose values are made when they are first read. It is no plain object: Eleventy copies those,
 * and would read every value.
 */
const lazy = <T extends object>(makers: { readonly [K in keyof T]: () => unknown }): T => {
  const made = new Map<string, unknown>();
  const properties = Object.entries<() => unknown>(makers).map(([name, make]) => {
    const get = (): unknown => {
      if (!made.has(name)) made.set(name, make());
      return made.get(name);
    };
    return [name, { get, enumerable: true }] as const;
  });
  return Object.create({}, Object.fromEntries(properties)) as T;
};

/** The rest is not read. */
const firstOf = (records: Iterable<TreeRecord>, count: number): TreeRecord[] => {
  const first: TreeRecord[] = [];
  for (const record of records) {
    if (first.push(record) === count) break;
  }
  return first;
};

const onlyOf = ({ kind, record }: OneRecord, resource: Resource): TreeRecord[] =>
  resource === `${kind}s` ? [record] : [];

const readDocument = (folder: string, file: string): Document => {
  const path = join(folder, file);
  try {
    return z.looseObject({}).parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    throw new PrepressError('OUTPUT_DIFFERS', `The document ${path} cannot be read.`, { cause });
  }
};
