// The tags by which caches and receivers know what an answer is of: `post:ID` and `post:SLUG` (pages, tags and authors alike) of a
// record, and names such as `posts` of lists. What a build changed is named by the same function, so that a cache which forgets
// these tags forgets what it must. Runtime-neutral, and written so that the oldest of the edge runtimes can run it.
import { isBlob, PACKED_FOLDER } from '../tree/names.ts';
import { GUARDED_FOLDERS } from './files.ts';

/** A document's resource, and what names its record: one of both, or none of a list. */
export type Place = {
  readonly resource: string;
  readonly id?: string;
  /** The slug, or the name that it is stored under. */
  readonly segment?: string | undefined;
};

/** `document` is relative to the content folder. Null for blobs, which nobody asks for before the root names them, and files outside of folders. */
export const placeOf = (document: string): Place | null => {
  const names = document.split('/');
  const [resource, second, third] = [names[0] || '', names[1] || '', names[2]];
  if (second === '' || isBlob(document)) return null;
  if (third === undefined || second === 'q') return { resource: resource };
  return second === 'slug'
    ? { resource: resource, segment: third }
    : { resource: resource, id: second };
};

const KINDS: Readonly<Record<string, string>> = {
  posts: 'post',
  pages: 'page',
  tags: 'tag',
  authors: 'author',
};

/** Of header-safe characters: no space or comma parts it. */
export const tagOf = ({ resource, id, segment }: Place): string => {
  const kind = KINDS[resource];
  const name = id === undefined ? segment : id;
  return kind === undefined || name === undefined
    ? resource
    : `${kind}:${encodeURIComponent(name)}`;
};

/**
 * Of the answer at a document's address. That to a query may hold any record, and every change has the tag of the packed tree, so lists
 * of records have it, too.
 */
export const answerTags = (document: string): readonly string[] => {
  const place = placeOf(document);
  if (place === null || GUARDED_FOLDERS.indexOf(place.resource) === -1) return [];
  const tag = tagOf(place);
  return KINDS[tag] === undefined ? [tag] : [tag, PACKED_FOLDER];
};
