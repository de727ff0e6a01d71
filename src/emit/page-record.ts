// The record of which files in the output are pages for people: a small JSON file in data/, one entry for
// each tree that pages were placed in. It names a page before the page is placed, so that a page never
// stands unrecorded. A record that cannot be read counts as empty: its pages are then nobody's. Who saves it
// holds the lock of its kind of files.
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { writeWhole } from './write-whole.ts';

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

export type PageRecord = {
  /** Number of the build that the pages show. */
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
export const openPageRecord = (file: string, root: string): PageRecord => {
  const { trees } = read(file);
  const tree = trees[root] ?? { generation: 0, pages: [] };
  const others = Object.entries(trees).filter(([path]) => path !== root && existsSync(path));
  let known = new Map(Object.entries(tree.hashes ?? {}));
  let saved = existsSync(file) ? textOf(Object.entries(trees)) : '';
  return {
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
      const text = textOf([...others, [root, { generation, pages, ...more }]]);
      if (text === saved) return;
      writeWhole(file, text);
      saved = text;
    },
  };
};

/** The trees that a record knows, those that are gone included. */
export const recordedTrees = (file: string): string[] => Object.keys(read(file).trees);

type Trees = z.infer<typeof schema>['trees'];

const textOf = (trees: readonly [string, Trees[string]][]): string =>
  `${JSON.stringify({ trees: Object.fromEntries(trees) })}\n`;

const read = (file: string): z.infer<typeof schema> => {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return { trees: {} };
  }
};
