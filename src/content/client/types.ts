// What `prepress-content/client` exports, as types: the bundle's declarations are this text, so it imports nothing.

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

/** The JSON of a record. */
export type Item = { readonly [key: string]: unknown };

export type Resource = 'posts' | 'pages' | 'tags' | 'authors';

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

export type Content = {
  /** A list, as the body that the content interface answers. */
  list<Name extends Resource, Found = Item>(
    resource: Name,
    params?: Params,
  ): Promise<List<Name, Found>>;
  /** One record. Rejects with a NotFoundError when there is none. */
  read<Found = Item>(
    resource: Resource,
    key: { readonly id: string } | { readonly slug: string },
    params?: Pick<Params, 'include' | 'fields' | 'formats'>,
  ): Promise<Found>;
  settings(): Promise<Item>;
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
export type OpenContent = (url: string, options?: Options) => Content;
