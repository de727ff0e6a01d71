// The types of the subpath prepress-content/astro, which become its declarations. They name nothing of Astro, whose own types
// fit them.
import type { Options, Resource, Shape } from '../../content/client/types.ts';

export type LoaderOptions = Options & {
  /** The folder in which `content/` is, on any host of files or the companion server. */
  readonly url: string;
  /** `posts` when absent. */
  readonly resource?: Resource;
  /** The setting `shape` of the publication. */
  readonly shape?: Shape;
};

type Data = Record<string, unknown>;

export type PrepressLoader = {
  name: string;
  load: (context: {
    store: {
      keys: () => string[];
      set: (entry: {
        id: string;
        data: Data;
        digest: string;
        rendered: { html: string };
      }) => unknown;
      delete: (id: string) => void;
      clear: () => void;
    };
    meta: { get: (key: string) => string | undefined; set: (key: string, value: string) => void };
    logger: { info: (message: string) => void };
    parseData: (props: { id: string; data: Data }) => Promise<Data>;
    generateDigest: (data: Data) => string;
  }) => Promise<void>;
  /** A Standard Schema, which versions of Astro name in their own ways; they write the types beside their own. */
  createSchema: () => Promise<{ schema: never; types: string }>;
};

/** Entries have the id of their record; `data` is the record, `rendered` its html. */
export declare const prepress: (options: LoaderOptions) => PrepressLoader;
