// Reads the root of a packed tree out of a file that anybody may have replaced. The blobs that it names are named after
// their bytes, so what they hold is what the build wrote.
import { type Root, TREE_FORMAT } from './tree.ts';

/** Null where the text is no root of this format. */
export const parseRoot = (text: string): Root | null => {
  let root: Partial<Root> | null;
  try {
    root = JSON.parse(text) as Partial<Root> | null;
  } catch {
    return null;
  }
  return isRoot(root) ? root : null;
};

const isRoot = (root: Partial<Root> | null): root is Root =>
  root?.format === TREE_FORMAT &&
  [root.posts, root.pages].every((collection) => Array.isArray(collection?.leaves)) &&
  [root.tags, root.authors].every((terms) => Array.isArray(terms?.records));
