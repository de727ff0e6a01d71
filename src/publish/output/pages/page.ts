// Pages that are to be placed.
import type { Durability } from '../../../base/files/durability.ts';

export type Page = {
  /** Relative to the folder of the pages, with `/`. */
  readonly path: string;
  readonly read: () => Buffer;
  /** SHA-256, in hex, of a page that stands in the stage. */
  readonly stagedHash?: string | undefined;
};

export type PageFilesInput = {
  /** Folder of the pages: output and base path. */
  readonly root: string;
  /** File that keeps which files are pages. */
  readonly record: string;
  readonly pages: readonly Page[];
  /** The folder where pages were written ahead, in their shape, with the paths of all that are in it. */
  readonly stage?: { readonly folder: string; readonly paths: Iterable<string> } | undefined;
  /** Number of the build that the pages show, and of the newest one. */
  readonly generation: { readonly shown: number; readonly newest: number };
  /** Pages that were placed before and stay as they are, though they are not among `pages`. */
  readonly kept?: readonly string[];
  /** Copies of the tree that a page may replace, relative to the folder of the pages. */
  readonly copies?: readonly string[];
  /** The pages are some of them: none is removed for being absent. */
  readonly isPartial?: boolean;
  readonly durability?: Durability;
};
