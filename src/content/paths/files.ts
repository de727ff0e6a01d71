// Record -> files, list -> files: the names under `content/` (decisions, Files). All paths are relative
// to the content folder and use `/`.
import { isBlob, PACKED_FOLDER } from '../tree/names.ts';
import { RESOURCES, type Resource, SHAPES } from './endpoints.ts';
import { findDocument } from './sidecars.ts';

export const SETTINGS_FILE = 'settings/index.json';
/** There in Ghost's shape alone. */
export const TIERS_FILE = 'tiers/index.json';
export const NOT_FOUND_FILE = '404.json';
export const SUMMARY_FILE = 'manifest.json';

/** What search in the browser reads, one file of each. */
export const SEARCHED = ['posts', 'authors', 'tags'] as const satisfies readonly Resource[];
export type SearchedResource = (typeof SEARCHED)[number];
const SEARCH_FOLDER = 'search-index';

export const searchFile = (resource: SearchedResource): string =>
  `${SEARCH_FOLDER}/${resource}/index.json`;

/** True for a blob, or a sidecar of one, by its path in the output; `content` ends with a slash. */
export const isBlobBelow = (content: string, path: string): boolean => {
  const name = path.startsWith(content) ? path.slice(content.length) : '';
  return isBlob(findDocument(name) ?? name);
};

/** The documents whose addresses have no query: the folder of each is its address. */
export const FIXED_FILES: readonly string[] = /* @__PURE__ */ [SETTINGS_FILE, TIERS_FILE].concat(
  /* @__PURE__ */ SEARCHED.map(searchFile),
);

export const DOCUMENT_FOLDERS: readonly string[] = (RESOURCES as readonly string[]).concat([
  'settings',
  'tiers',
  SEARCH_FOLDER,
]);

/** Folders whose files ask for the content key, at addresses and under their own names. */
export const GUARDED_FOLDERS: readonly string[] = DOCUMENT_FOLDERS.concat([PACKED_FOLDER]);

export const idFolder = (resource: Resource, id: string): string => `${resource}/${id}`;

/** Folder of a record's files by slug; `segment` is what slugSegment made of the slug. */
export const slugFolder = (resource: Resource, segment: string): string =>
  `${resource}/slug/${segment}`;

/** A variant of a record, in its folders. */
export const variantFile = (variant: string): string => `${variant}.json`;

export const fileIn = (folder: string, variant: string): string =>
  `${folder}/${variantFile(variant)}`;

/** File of one page of a list; the first page has no number. */
export const listFile = (resource: Resource, variant: string, page?: number): string => {
  if (page === undefined || page === 1) return `${resource}/${variant}.json`;
  return `${resource}/page-${page}${variant === 'index' ? '' : `-${variant}`}.json`;
};

export const recordFiles = (resource: Resource, id: string, segment: string): string[] =>
  [idFolder(resource, id), slugFolder(resource, segment)].flatMap((folder) =>
    SHAPES[resource].recordVariants.map((variant) => fileIn(folder, variant)),
  );

const RECORD_FILE =
  /^(?:posts|pages|tags|authors)\/(?:[0-9a-f]+|slug\/(?!\.{1,2}\/)[^/\0]+)\/[a-z-]+\.json$/;

/** True for names that a record's file may have: none of them leads out of the tree or into a list. */
export const isRecordFile = (name: string): boolean => RECORD_FILE.test(name);

/** Folders beside the tree, in the content folder, that hold what a site's texts show. */
export const IMAGE_FOLDERS = ['images', 'media', 'files'] as const;

/** Ghost makes a picture in sizes when it is asked for them; where one is not there, the original is sent. A pattern. */
export const SIZED = 'images/size/(?:w[0-9]+)?(?:h[0-9]+)?/(?:format/[a-z0-9]+/)?';

/** The picture that a size is of, by its path below the content folder; else the same path. */
export const originalOf = (file: string): string =>
  file.replace(/^images\/size\/(?:w\d+)?(?:h\d+)?\/(?:format\/[a-z0-9]+\/)?/, 'images/');

/** The file of a picture in a size, such as `w600` or `w600/format/webp`; `picture` begins with images/. */
export const sizedFile = (picture: string, size: string): string =>
  picture.replace('images/', `images/size/${size}/`);

/** The size that the path of a file names; null for none. */
export const sizeOf = (file: string): string | null =>
  /^images\/size\/((?:w\d+(?:h\d+)?|h\d+)(?:\/format\/[a-z0-9]+)?)\/./.exec(file)?.[1] ?? null;
