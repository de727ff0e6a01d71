// The port of this room: what a host is given to know about a site, and what it gives back. A host only
// makes texts; limits are checked and files are written by write-host.ts.
import type { Resource } from '../paths/endpoints.ts';

/** What host files are made from. Nothing here is secret: keys come as SHA-256. */
export type HostSite = {
  readonly basePath: string;
  /** Absolute path of the folder that the host serves. */
  readonly output: string;
  /** Slugs that stand under another name, with that name. */
  readonly names: readonly StoredName[];
  /** Lists that are kept in pages. */
  readonly paged: readonly Resource[];
  /** SHA-256, in hexadecimal, of the content keys to ask for; null: none is asked for. */
  readonly keyHashes: readonly string[] | null;
  /** Where a cache in front finds the files: host and port. */
  readonly origin: { readonly host: string; readonly port: number };
  /** The variant of `index.html` copies, for hosts that do not read queries. */
  readonly defaultVariants: Readonly<Record<Resource, string>>;
};

export type StoredName = {
  readonly resource: Resource;
  readonly slug: string;
  readonly segment: string;
};

export type HostFile = {
  /** Relative to the place that the files are written to, with `/`. */
  readonly path: string;
  readonly text: string;
};

export type HostLimits = {
  readonly filesMax?: number;
  readonly fileBytesMax?: number;
  readonly treeBytesMax?: number;
  readonly folderEntriesMax?: number;
  readonly rulesMax?: number;
  /** Bytes of the largest host file. */
  readonly hostFileBytesMax?: number;
};

export type Host = {
  readonly name: string;
  readonly title: string;
  /** `output`: the host reads the files from the tree. `aside`: they belong into its configuration. */
  readonly place: 'output' | 'aside';
  readonly limits: HostLimits;
  /** The content key can be asked for, when `keyHashes` are given. */
  readonly checksKeys?: boolean;
  /** What to do with the files. */
  readonly use: string;
  /** What will not work, and what to use instead. */
  readonly lacks: (site: HostSite) => readonly string[];
  readonly files: (site: HostSite) => Promise<readonly HostFile[]>;
  /** Lines of `files` that count as rules, where the host limits them. */
  readonly countRules?: (files: readonly HostFile[]) => number;
};
