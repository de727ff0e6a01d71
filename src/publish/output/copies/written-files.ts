// The record of which files in the output one writer placed: pages for people, host files, or copies. It names a file
// before the file is placed, so that no file stands unrecorded. A record that cannot be read counts as empty: nobody owns
// its files then. Whoever saves a record holds the lock of its kind of files.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import * as z from 'zod';
import { realFolder } from '../../../base/files/make-folder.ts';
import { writeWhole } from '../../../base/files/write-whole.ts';

/** In data/: of pages for people, of copies, and of the files of hosts. */
export const RECORDS = {
  pages: 'pages.json',
  copies: 'host-copies.json',
  hosts: 'host-files.json',
} as const;

const schema = z.object({
  trees: z.record(
    z.string(),
    z.object({
      generation: z.int(),
      pages: z.array(z.string()),
      hashes: z.record(z.string(), z.string()).optional(),
    }),
  ),
});

export type WrittenFiles = {
  /** False where no record names the tree: none was made, or it was lost. */
  readonly isKnown: boolean;
  /** Number of the build that the files show. */
  readonly generation: number;
  readonly paths: ReadonlySet<string>;
  /** SHA-256 of files as they were placed, in hex; of a file that is not here it is not known. */
  readonly hashes: ReadonlyMap<string, string>;
  /** What is known of the bytes of a path stays, unless `hashes` has others. */
  readonly save: (
    generation: number,
    paths: Iterable<string>,
    hashes?: ReadonlyMap<string, string>,
  ) => void;
};

/** `root` is the real path of the tree. Trees that no longer exist are forgotten. */
export const openWrittenFiles = (file: string, root: string): WrittenFiles => {
  const { trees, text: found } = read(file);
  const tree = trees.get(root) ?? { generation: 0, pages: [] };
  const others = [...trees].filter(([path]) => path !== root && existsSync(path));
  let known = new Map(Object.entries(tree.hashes ?? {}));
  let saved = found;
  return {
    isKnown: trees.has(root),
    generation: tree.generation,
    paths: new Set(tree.pages),
    hashes: known,
    save: (generation, paths, hashes = new Map()) => {
      const pages = [...new Set(paths)].sort();
      known = new Map(
        pages.flatMap((path) => {
          const hash = hashes.get(path) ?? known.get(path);
          return hash === undefined ? [] : [[path, hash]];
        }),
      );
      const more = known.size === 0 ? {} : { hashes: Object.fromEntries(known) };
      const text = textOf(file, [...others, [root, { generation, pages, ...more }]]);
      if (text === saved) return;
      writeWhole(file, text);
      saved = text;
    },
  };
};

/** Absolute paths of the trees that a record knows, those that are gone included. */
export const recordedTrees = (file: string): string[] => [...read(file).trees.keys()];

type Tree = z.infer<typeof schema>['trees'][string];

const textOf = (file: string, trees: readonly [string, Tree][]): string => {
  const folder = realFolder(dirname(file));
  const named = trees.map(([path, tree]) => [relative(folder, path), tree] as const);
  return `${JSON.stringify({ trees: Object.fromEntries(named) })}\n`;
};

/** By absolute path. */
type Read = { readonly trees: ReadonlyMap<string, Tree>; readonly text: string };

const read = (file: string): Read => {
  try {
    const folder = realFolder(dirname(file));
    const text = readFileSync(file, 'utf8');
    const named = Object.entries(schema.parse(JSON.parse(text)).trees);
    return { trees: new Map(named.map(([name, tree]) => [resolve(folder, name), tree])), text };
  } catch {
    return { trees: new Map(), text: '' };
  }
};
