// Which files an edit touched, as the disk tells: another inode or time means that a file was written.
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { readTreeFacts } from './tree.ts';

export type Stamps = ReadonlyMap<string, string>;

export const readStamps = (tree: string): Stamps =>
  new Map(
    readTreeFacts(tree).files.map(({ name }) => {
      const { ino, mtimeNs } = lstatSync(join(tree, name), { bigint: true });
      return [name, `${ino} ${mtimeNs}`];
    }),
  );

/** Names that came, went, or were written, sorted. */
export const touchedBetween = (before: Stamps, after: Stamps): string[] =>
  [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => before.get(name) !== after.get(name))
    .sort();

/** The names that publishing a post may touch: its own, every list of posts, and what counts posts. */
export const isPartOfPublish = (name: string, ids: ReadonlySet<string>): boolean => {
  if (name === 'manifest.json') return true;
  if (/^(?:tags|authors)\/(?:.+\/)?(?:public-)?count-posts\.json$/.test(name)) return true;
  const [resource, folder, third] = name.split('/');
  if (resource !== 'posts') return false;
  return third === undefined || ids.has(folder === 'slug' ? third : (folder ?? ''));
};
