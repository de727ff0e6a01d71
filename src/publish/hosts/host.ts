// The port of this room: what a host is given to know about a site, and what it gives back. A host only
// makes texts; limits are checked and files are written by write-host.ts.
import type { Resource } from '../../content/paths/endpoints.ts';
import type { ListPages } from '../../content/paths/list-pages.ts';
import type { Profile, Selection } from '../../content/paths/selection.ts';
import type { Encoding } from '../../content/paths/sidecars.ts';
import type { Redirect } from '../../publication/store/content/redirects.ts';
import type { HostName } from '../../settings/host-names.ts';
import type { OtherQueries } from '../../settings/schemas.ts';

/** What host files are made from. Nothing here is secret: keys come as SHA-256. */
export type HostSite = {
  readonly basePath: string;
  /** Absolute path of the folder that the host serves. */
  readonly output: string;
  /** The same folder as the host sees it: the path that rules name. */
  readonly root: string;
  /** What the publication is called in an account that several share. */
  readonly accountName: string;
  /** Slugs that stand under another name, with that name: a hash, or the normal form (NFC) of the slug. */
  readonly names: readonly StoredName[];
  /** Lists that are kept in pages. */
  readonly paged: readonly Resource[];
  readonly queries: HostQueries;
  /** Of the publication, in the order in which they are tried. */
  readonly redirects: readonly Redirect[];
  /** SHA-256, in hexadecimal, of the content keys to ask for; null: none is asked for. */
  readonly keyHashes: readonly string[] | null;
  /** The rules stand in the server block of a Ghost, and take `/ghost/api/content/` alone. */
  readonly isShield: boolean;
  /** Whether the server behind a cache asks for a content key. */
  readonly checksKey: boolean;
  /** Where a cache in front finds the files: host and port. */
  readonly origin: { readonly host: string; readonly port: number };
  /** What the host is given of the tree. */
  readonly selection: Selection;
  /** The variants of `index.html` copies, the first that a resource has; else index. */
  readonly defaultVariants: readonly string[];
  /** Every record's id and the path segment of its slug. */
  readonly segments: (resource: Resource) => readonly SlugEntry[];
  /** Every file of the tree, relative to the content folder. */
  readonly treeFiles: () => Iterable<{ readonly path: string; readonly size: number }>;
  /** Several machines serve the publication, each from a tree of its own: times of their files differ. */
  readonly isShared: boolean;
  /** Pictures lie there in sizes, too. */
  readonly hasSizes: boolean;
  /** Each document in a folder has a sidecar of each. */
  readonly encodings: readonly Encoding[];
  /** Every sidecar, relative to the content folder. */
  readonly sidecars: () => Iterable<{ readonly path: string; readonly size: number }>;
  /** Every other file in the output, relative to it. */
  readonly otherFiles: () => Iterable<{ readonly path: string; readonly size: number }>;
};

/** Which queries of lists have files, and where the others go. */
export type HostQueries = {
  readonly otherQueries: OtherQueries;
  /** The setting `otherQueriesStaleSeconds`. */
  readonly staleSeconds: number;
  /** The setting `lists.max`. */
  readonly max: number;
  /** Of default lists. */
  readonly listPages: ListPages;
};

export type SlugEntry = { readonly id: string; readonly segment: string };

export type StoredName = {
  readonly resource: Resource;
  readonly slug: string;
  readonly segment: string;
};

export type HostFile = {
  /** Relative to the place that the files are written to, with `/`. */
  readonly path: string;
  readonly text: string;
  /** The host reads this one from the tree, wherever its others are. */
  readonly isInOutput?: boolean;
};

/** Redirects as lines of `_redirects`. */
export type PlainRedirects = {
  /** What statuses end with. */
  readonly mark: '' | '!';
  /**
   * Lines that the host takes: of whole paths, of paths with names or a rest; and characters of each. Every line after the
   * first with a name or a rest counts as one of those. Absent: it takes all.
   */
  readonly max?: {
    readonly fixed: number;
    readonly dynamic: number;
    readonly lineCharacters: number;
  };
  /** Lines that the host refuses. */
  readonly isRefused?: (from: string, to: string) => boolean;
};

/** A file of JSON that people may read. */
export const jsonFile = (path: string, value: unknown): HostFile => ({
  path,
  text: `${JSON.stringify(value, null, 2)}\n`,
});

/** Another name for a file of the tree, both relative to the output. */
export type TreeCopy = { readonly path: string; readonly source: string };

export type HostLimits = {
  readonly filesMax?: number;
  readonly fileBytesMax?: number;
  readonly treeBytesMax?: number;
  readonly folderEntriesMax?: number;
  readonly rulesMax?: number;
  readonly hostFileBytesMax?: number;
  /** Bytes of the longest quoted text in its rules. */
  readonly parameterBytesMax?: number;
};

export type TestPlace = {
  readonly rules: string;
  /** An empty folder, and the file in it that the configuration is written to. */
  readonly folder: string;
  readonly config: string;
};

export type HostTest = {
  /** A configuration with the rules in it. */
  readonly text: string;
  readonly command: readonly string[];
};

export type Host = {
  readonly name: HostName;
  readonly title: string;
  /** `output`: the host reads the files from the tree. `aside`: they belong into its configuration. */
  readonly place: 'output' | 'aside';
  readonly limits: HostLimits;
  /** `output`: it gets every file there. Absent: what the selection leaves, by a deploy or a list of its own. */
  readonly uploads?: 'output';
  /** Its rules name the folder of the output. `any`: its tools read it from where their file stands. */
  readonly namesRoot?: 'absolute' | 'any';
  /** It reads its rules when it is reloaded, and not before. */
  readonly isReloaded?: boolean;
  /** Its program reads them as a user of its own, who must be able to. */
  readonly readsAsUser?: boolean;
  /** How the host's program tries the rules that were made for it. */
  readonly test?: (place: TestPlace, site: HostSite) => HostTest;
  /** The profiles that it can serve, the usual one first. Absent: literal only. */
  readonly profiles?: readonly Profile[];
  /** What is other where its rules are a shield. Absent: they cannot be one. */
  readonly asShield?: Partial<Host>;
  /** The content key can be asked for, when `keyHashes` are given. */
  readonly checksKeys?: boolean;
  /** What to do with the files; `{folder}` stands for the folder that they were written to, `{root}` for the output as the host finds it, `{name}` for `nameIn`. */
  readonly use: string;
  /** What to do where what the host reads has other files of these names. */
  readonly useElsewhere?: string;
  /** What the host's own configuration calls the rules. */
  readonly nameIn?: (site: HostSite) => string;
  /** What will not work, and what to use instead. */
  readonly limitations: (site: HostSite) => readonly string[];
  /** `folder` is where files go that are not in the output. */
  readonly files: (site: HostSite, folder: string) => Promise<readonly HostFile[]>;
  /** Names that the tree gets for this host besides its own. */
  readonly copies?: (site: HostSite) => TreeCopy[];
  /** Its rules have the publication's redirects: all, or those without regular expressions. */
  readonly redirects?: 'all' | PlainRedirects;
  /** Lines of `files` that count as rules, where the host limits them. */
  readonly countRules?: (files: readonly HostFile[]) => number;
};
