// The record of which files in the output are pages for people: a small JSON file in data/, one entry for
// each tree that pages were placed in. It names a page before the page is placed, so that a page never
// stands unrecorded. A record that cannot be read counts as empty: its pages are then nobody's. Who saves it
// holds the lock of its kind of files.
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { writeWhole } from './write-whole.ts';

const schema = z.object({
  trees: z.record(z.string(), z.object({ generation: z.int(), pages: z.array(z.string()) })),
});

export type PageRecord = {
  /** Number of the build that the pages show. */
  readonly generation: number;
  readonly paths: ReadonlySet<string>;
  readonly save: (generation: number, paths: Iterable<string>) => void;
};

/** `root` is the real path of the tree. Trees that no longer exist are forgotten. */
export const openPageRecord = (file: string, root: string): PageRecord => {
  const { trees } = read(file);
  const tree = trees[root] ?? { generation: 0, pages: [] };
  const others = Object.entries(trees).filter(([path]) => path !== root && existsSync(path));
  let saved = existsSync(file) ? textOf(Object.entries(trees)) : '';
  return {
    generation: tree.generation,
    paths: new Set(tree.pages),
    save: (generation, paths) => {
      const pages = [...new Set(paths)].sort();
      const text = textOf([...others, [root, { generation, pages }]]);
      if (text === saved) return;
      writeWhole(file, text);
      saved = text;
    },
  };
};

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
