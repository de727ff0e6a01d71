// The names directly under the content folder that belong to the tree, in the order in which they are
// brought in: what is embedded in others comes first.
import { NOT_FOUND_FILE, SUMMARY_FILE } from '../../../content/paths/files.ts';
import { PACKED_FOLDER } from '../../../content/tree/names.ts';

export const TREE_PARTS: readonly string[] = [
  PACKED_FOLDER,
  'authors',
  'tags',
  'pages',
  'posts',
  'settings',
  'tiers',
  'search-index',
  NOT_FOUND_FILE,
  SUMMARY_FILE,
];

/** The hidden folder, under the content folder, of files that were replaced and are yet to be freed. */
export const REPLACED_FOLDER = '.prepress-replaced';

/** The hidden folder, under the content folder, in which files are made. */
export const STAGING_FOLDER = '.prepress-staging';
