// The stock clients of npm carry no types; these are the calls that the tests make.

type StockRecord = Record<string, unknown> & { readonly id: string };

declare module '@tryghost/content-api' {
  type Meta = { readonly pagination: { readonly next: number | null } };
  type Resource = {
    browse(options?: object): Promise<StockRecord[] & { readonly meta: Meta }>;
    read(data: object, options?: object): Promise<StockRecord>;
  };
  type Options = {
    readonly url: string;
    readonly key: string;
    readonly version: string;
    readonly makeRequest?: (request: {
      readonly url: string;
      readonly params?: Readonly<Record<string, unknown>>;
    }) => Promise<{ readonly data: unknown }>;
  };
  export default class GhostContentAPI {
    constructor(options: Options);
    readonly posts: Resource;
    readonly pages: Resource;
    readonly tags: Resource;
    readonly authors: Resource;
    readonly settings: { browse(): Promise<Record<string, unknown>> };
  }
}

declare module '@tryghost/admin-api' {
  type Resource = {
    browse(options?: object): Promise<StockRecord[]>;
    read(data: object, options?: object): Promise<StockRecord>;
    add(data: object, options?: object): Promise<StockRecord>;
    edit(data: object, options?: object): Promise<StockRecord>;
    delete(data: object, options?: object): Promise<unknown>;
  };
  type Uploads = {
    upload(data: {
      readonly file: string;
      readonly ref?: string;
      readonly thumbnail?: string;
    }): Promise<Record<'url' | 'ref' | 'thumbnail_url', string>>;
  };
  type Options = { readonly url: string; readonly key: string; readonly version: string };
  export default class GhostAdminAPI {
    constructor(options: Options);
    readonly posts: Resource;
    readonly pages: Resource;
    readonly tags: Resource;
    readonly members: Resource;
    readonly users: Resource;
    readonly newsletters: Resource;
    readonly images: Uploads;
    readonly media: Uploads;
    readonly files: Uploads;
    readonly webhooks: Pick<Resource, 'add' | 'edit' | 'delete'>;
    readonly site: { read(): Promise<Record<string, unknown>> };
    readonly config: { read(): Promise<Record<string, unknown>> };
  }
}
