// Slug -> path segment. A slug that every file system and host can hold stands as it is, in NFC; any
// other is stored as `~` and 32 hex digits of its SHA-256. So is every member but the oldest of a group of slugs
// that a case-insensitive disk could not tell apart (publish/build/render/segments.ts).
import { createHash } from 'node:crypto';
import { FILE_NAME_BYTES_MAX } from '../../base/limits.ts';
import { isPlainSegment } from './plain-segment.ts';

/** What nearly every slug is like; it is its own fold, and in NFC. */
const SIMPLE = /^[a-z0-9-]*$/;

/** Slugs with the same fold cannot stand beside each other as plain names. */
export const foldSlug = (slug: string): string => (SIMPLE.test(slug) ? slug : foldAny(slug));

const foldAny = (slug: string): string =>
  slug.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');

/** The segment of a slug; `shared` says that another record of the resource keeps the name of this fold. */
export const slugSegment = (slug: string, { shared }: { readonly shared: boolean }): string => {
  const name = SIMPLE.test(slug) ? slug : slug.normalize('NFC');
  const fits = Buffer.byteLength(name) <= FILE_NAME_BYTES_MAX;
  return fits && !shared && isPlainSegment(name) ? name : hashedSegment(slug);
};

export const hashedSegment = (slug: string): string =>
  `~${createHash('sha256').update(slug).digest('hex').slice(0, 32)}`;
