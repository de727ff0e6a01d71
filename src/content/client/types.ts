// What `prepress-content/client` exports, as types: the bundle's declarations are this text, in which ClientRecords is written
// out, so it imports nothing else.
import type { ClientRecords } from '../contract/client-records.ts';

/** What the client uses of `fetch`. */
export type Fetch = (
  url: string,
  init: { readonly cache: 'no-cache' | 'reload' | 'force-cache' },
) => Promise<{
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  arrayBuffer(): Promise<ArrayBuffer>;
}>;

export type Options = {
  /** The content key of a companion server that asks for one. */
  readonly contentKey?: string;
  /** In place of the global `fetch`, for instance to send credentials along. */
  readonly fetch?: Fetch;
  /** Files are kept in memory up to so many bytes; 32 MiB when absent. */
  readonly bytesMax?: number;
};

/** Parameters of the content interface. Arrays are joined by commas. */
export type Params = {
  readonly filter?: string;
  readonly include?: string | readonly string[];
  readonly fields?: string | readonly string[];
  readonly formats?: string | readonly string[];
  readonly order?: string | readonly string[];
  readonly limit?: number | string;
  readonly page?: number | string;
};

export type Pagination = {
  readonly page: number;
  readonly limit: number;
  readonly pages: number;
  readonly total: number;
  readonly next: number | null;
  readonly prev: number | null;
};

/** A list as the content interface has it: `{ posts: [...], meta }`. */
export type List<Resource extends string, Item> = { readonly [Name in Resource]: Item[] } & {
  readonly meta: { readonly pagination: Pagination };
};

/** The setting `shape` of the publication. */
export type Shape = 'interface' | 'ghost';

/** Keys of related data, and plaintext, are there when they are asked for. */
export type Post<S extends Shape = 'interface'> = ClientRecords[S]['Post'];
export type Page<S extends Shape = 'interface'> = ClientRecords[S]['Page'];
export type Tag<S extends Shape = 'interface'> = ClientRecords[S]['Tag'];
export type Author<S extends Shape = 'interface'> = ClientRecords[S]['Author'];
export type Settings<S extends Shape = 'interface'> = ClientRecords[S]['Settings'];

type Records<S extends Shape> = {
  readonly posts: Post<S>;
  readonly pages: Page<S>;
  readonly tags: Tag<S>;
  readonly authors: Author<S>;
};

export type Resource = keyof Records<Shape>;

/** With its authors and tags, or the number of its posts. */
export type Whole<Item> = Item & {
  readonly [Key in keyof Item &
    ('authors' | 'tags' | 'primary_author' | 'primary_tag' | 'count')]-?: Exclude<
    Item[Key],
    undefined
  >;
};

export type Key = { readonly id: string } | { readonly slug: string };
type RecordParams = Pick<Params, 'include' | 'fields' | 'formats'>;

/** What changed in a resource: records that are new or have other keys, and ids of those that are gone. */
export type Changes<Item> = { readonly upserts: Whole<Item>[]; readonly deletions: string[] };

export type Delta<S extends Shape = 'interface'> = {
  /** All there is: of no token, or of one that cannot be compared. What is not in it is gone. */
  readonly isFull: boolean;
  /** For the next call, by whoever keeps what this one answered. */
  readonly token: string;
  /** Null: as they were, or not asked for. */
  readonly settings: Settings<S> | null;
} & { readonly [Name in Resource]: Changes<Records<S>[Name]> };

/** The one error of a body of the content interface. */
export type ErrorBody = {
  readonly message: string;
  readonly context: string | null;
  readonly type: string;
  readonly property: string | null;
  readonly code: string | null;
};

/** What promises of the client are rejected with for a refusal: its name is the error's type, such as NotFoundError. */
export type ContentError = Error & {
  readonly response: {
    readonly status: number;
    readonly data: { readonly errors: readonly [ErrorBody] };
  };
};

export type Content<S extends Shape = 'interface'> = {
  /** A list, as the body that the content interface answers. */
  list<Name extends Resource, Found = Records<S>[Name]>(
    resource: Name,
    params?: Params,
  ): Promise<List<Name, Found>>;
  /** One record. Parameters may stand beside `id` or `slug`; those of `params` win. Rejects with a NotFoundError when there is none. */
  read<Name extends Resource>(
    resource: Name,
    key: Key & RecordParams,
    params?: RecordParams,
  ): Promise<Records<S>[Name]>;
  read<Found>(resource: Resource, key: Key & RecordParams, params?: RecordParams): Promise<Found>;
  settings(): Promise<Settings<S>>;
  /**
   * What changed since the call that answered this token; without one, everything. Of the site's files, those alone are read
   * that differ. `only`: the resources to compare, in place of all and the settings, or one of them.
   */
  sync(
    token?: string | null,
    options?: { readonly only?: Resource | readonly Resource[] },
  ): Promise<Delta<S>>;
  /** The text and status of an address below `content/`, such as `posts/?limit=5`. */
  answer(address: string): Promise<{ readonly status: number; readonly body: string }>;
  /** For `new GhostContentAPI({ makeRequest })`. */
  makeRequest(request: {
    readonly url: string;
    readonly params?: { readonly [name: string]: unknown };
  }): Promise<{ readonly status: number; readonly data: unknown }>;
};

/**
 * Content from the files of a Prepress site, wherever they lie. `url` is that of the folder in which `content/` is: what
 * the stock client has as its `url`.
 */
export type OpenContent = <S extends Shape = 'interface'>(
  url: string,
  options?: Options,
) => Content<S>;
