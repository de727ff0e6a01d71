// What a build changed, in names that its readers know: addresses without their queries, and tags by which caches and receivers
// know records and lists. data/changes.json and the webhook on site.changed have both of here.
import { CHANGED_NAMES_BYTES_MAX, CHANGED_NAMES_MAX } from '../../base/limits.ts';
import { PACKED_FOLDER, PACKED_ROOT_FILE } from '../tree/names.ts';
import { type Place, placeOf, tagOf } from './cache-tags.ts';
import { findDocument } from './sidecars.ts';

export type ChangedNames = {
  /** The whole tree is new, it is not known what changed, or it is too much to name: the lists are empty. */
  readonly all: boolean;
  /** Each stands for itself with every query, and ends with a slash where it has any. */
  readonly addresses: readonly string[];
  readonly tags: readonly string[];
};

export const ALL_CHANGED: ChangedNames = { all: true, addresses: [], tags: [] };

export type NameOptions = {
  readonly basePath: string;
  /** The slug of a record that is stored under another name; absent for the others. */
  readonly slugOf?: (resource: string, segment: string) => string | undefined;
};

export type NameCollector = {
  /** `file` is relative to the content folder. */
  readonly add: (file: string) => void;
  /** Of addresses and tags together. */
  readonly size: () => { readonly names: number; readonly bytes: number };
  readonly names: () => ChangedNames;
};

export const collectNames = (options: NameOptions): NameCollector => {
  const addresses = new Set<string>();
  const tags = new Set<string>();
  let bytes = 0;
  const put = (set: Set<string>, name: string): void => {
    if (set.has(name)) return;
    set.add(name);
    bytes += Buffer.byteLength(name);
  };
  return {
    add: (file) => {
      const place = placeOf(findDocument(file) ?? file);
      if (place === null) return;
      const slug = slugIn(place, options);
      put(addresses, addressOf({ ...place, segment: slug }, options));
      put(tags, tagOf(place));
      put(tags, tagOf({ ...place, segment: slug }));
    },
    size: () => ({ names: addresses.size + tags.size, bytes }),
    names: () => ({ all: false, addresses: [...addresses].sort(), tags: [...tags].sort() }),
  };
};

/** The names of so many files as a webhook may name; otherwise, or where none has a name, that all has changed. */
export const nameFew = (files: Iterable<string>, options: NameOptions): ChangedNames => {
  const collector = collectNames(options);
  for (const file of files) {
    collector.add(file);
    const { names, bytes } = collector.size();
    if (names > CHANGED_NAMES_MAX || bytes > CHANGED_NAMES_BYTES_MAX) return ALL_CHANGED;
  }
  const few = collector.names();
  return few.addresses.length === 0 ? ALL_CHANGED : few;
};

const slugIn = ({ resource, segment }: Place, { slugOf }: NameOptions): string | undefined =>
  segment === undefined ? undefined : (slugOf?.(resource, segment) ?? segment);

const addressOf = ({ resource, id, segment }: Place, { basePath }: NameOptions): string => {
  if (resource === PACKED_FOLDER) return `${basePath}/content/${PACKED_ROOT_FILE}`;
  const record = segment === undefined ? id : `slug/${encodeURIComponent(segment)}`;
  return `${basePath}/content/${resource}/${record === undefined ? '' : `${record}/`}`;
};
