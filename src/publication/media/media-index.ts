// The port to the media index (data/media.db): what was placed in the output from the media folder, so that a build
// looks only into folders that changed, and removes only what it placed. It can be made again: what stands in
// both places is found there.

/** Identity and times of a folder in the media folder and in the output; empty: it is read next time. */
export type FolderStatKeys = { readonly source: string; readonly target: string };

export type PlacedFile = {
  readonly name: string;
  readonly size: number;
  readonly mtimeMs: number;
};

/** Of a path, as a row of the bucket names it. */
export type SharedFile = { readonly path: string; readonly sha256: string };

/** Paths of folders are relative to the media folder, with `/`. */
export type MediaIndex = {
  /** Forgets what was placed elsewhere than in this content folder. */
  readonly openAt: (root: string) => void;
  readonly folders: () => Map<string, FolderStatKeys>;
  readonly files: (folder: string) => PlacedFile[];
  readonly putFiles: (folder: string, files: readonly PlacedFile[]) => void;
  readonly removeFiles: (folder: string, names: readonly string[]) => void;
  readonly putFolder: (folder: string, statKeys: FolderStatKeys) => void;
  readonly removeFolder: (folder: string) => void;
  /** Hashes by path of what had a row when rows were last read, also of rows that are gone since. */
  readonly shared: () => ReadonlyMap<string, string>;
  readonly putShared: (files: readonly SharedFile[]) => void;
  readonly dropShared: (paths: readonly string[]) => void;
  readonly totals: () => { readonly files: number; readonly bytes: number };
  readonly close: () => void;
};
