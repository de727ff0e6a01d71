// Finds the pictures, media and files that rows name below the site's own address, as paths of the media folder. Reads
// the JSON of rows as one text, so that any column may name them.
import { TextCursor } from '../../../base/text/text-cursor.ts';
import { decodeSegment } from '../../../content/paths/address.ts';
import { IMAGE_FOLDERS } from '../../../content/paths/files.ts';
import { PLACEHOLDER } from '../../documents/site-url.ts';

const CONTENT = '/content/';
/** What begins an address without the site before it. */
const BEFORE: ReadonlySet<string> = new Set(['', '"', "'", '(', ' ', ',', '=', '\n', '\t']);
const ENDS: ReadonlySet<string> = new Set([...'"<>\\?#|^`{} \n\r\t']);
/** As texts, JSON and html have it. It ends a name that it opened, and else is a part of it. */
const APOSTROPHES = ["'", '&#39;', '&#x27;', '&apos;'] as const;
const PATH_UNITS_MAX = 2_000;
const ICON_SIZE = 'images/size/w256h256/';

export type NamedFiles = {
  /** Paths such as images/2026/01/a.png. */
  readonly paths: ReadonlySet<string>;
  /** Names that cannot be kept, as they are written. */
  readonly refused: ReadonlySet<string>;
  /** How often a further one was named than are found at most. */
  readonly left: () => number;
};

type FindOptions = {
  /** Addresses of the site, without a trailing slash. */
  readonly sites: readonly string[];
  readonly filesMax: number;
};

export const createFileFinder = ({ sites, filesMax }: FindOptions) => {
  const paths = new Set<string>();
  const refused = new Set<string>();
  let left = 0;
  const owners = [PLACEHOLDER, ...sites];
  const add = (path: string): void => {
    if (paths.size < filesMax || paths.has(path)) paths.add(path);
    else left += 1;
  };
  return {
    found: { paths, refused, left: () => left } satisfies NamedFiles,
    read: (json: string): void => {
      const cursor = new TextCursor(json);
      while (cursor.skipTo(CONTENT)) {
        const start = cursor.at;
        cursor.skip(CONTENT.length);
        const begin = findBegin(json, start, owners);
        if (begin === null) continue;
        const isQuoted = APOSTROPHES.some((one) => json.endsWith(one, begin));
        const named = start + CONTENT.length;
        const written = json.slice(named, endOf(json, named, isQuoted));
        const path = parsePath(written);
        if (path === null) continue;
        if (path === '') refused.add(written);
        else {
          add(path);
          // The site's icon is shown in this size.
          if (json.includes('"key":"icon"') && /^images\/(?!size\/)/.test(path)) {
            add(path.replace('images/', ICON_SIZE));
          }
        }
      }
    },
  };
};

/** Where the address begins whose path begins at `start`; null for that of another site. */
const findBegin = (text: string, start: number, owners: readonly string[]): number | null => {
  const owner = owners.find((one) => text.endsWith(one, start));
  if (owner !== undefined) return start - owner.length;
  return BEFORE.has(text.charAt(start - 1)) ? start : null;
};

const endOf = (text: string, start: number, isQuoted: boolean): number => {
  let at = start;
  while (at < text.length && at - start < PATH_UNITS_MAX && !ENDS.has(text.charAt(at))) {
    const apostrophe = APOSTROPHES.find((one) => text.startsWith(one, at));
    const isReference = text.startsWith('&quot;', at) || text.startsWith('&#', at);
    if (apostrophe === undefined ? isReference : isQuoted) break;
    at += apostrophe?.length ?? 1;
  }
  return start + bracketedUnits(text.slice(start, at));
};

/** A bracket belongs to a name that has both, as in `a(1).png`; else the name ends before it. */
const bracketedUnits = (name: string): number => {
  let opened = name.length;
  for (let at = 0; at < name.length; at += 1) {
    const unit = name.charAt(at);
    if (unit === '(') opened = Math.min(opened, at);
    else if (unit === ')' && opened > at) return at;
    else if (unit === ')') opened = name.length;
  }
  return opened;
};

/** Null: no file of the media folder; empty: one whose name cannot be kept. */
const parsePath = (written: string): string | null => {
  let plain = written;
  for (const apostrophe of APOSTROPHES) plain = plain.replaceAll(apostrophe, "'");
  // What stands in quotation marks may end with one.
  plain = plain.replaceAll('&amp;', '&').replace(/'?[.,;:!]?$/, '');
  const segments = plain.split('/').map(decodeSegment);
  const [folder, ...rest] = segments;
  if (!IMAGE_FOLDERS.some((name) => name === folder) || rest.length === 0) return null;
  if (rest.at(-1) === '') return null;
  return rest.every((segment) => segment !== null && isMediaName(segment))
    ? segments.join('/')
    : '';
};

const NAME_BYTES_MAX = 255;

/** Hidden names are not ours, and none leads to another folder. */
const isMediaName = (name: string): boolean =>
  name !== '' &&
  !name.startsWith('.') &&
  !/[/\\\p{Cc}]/u.test(name) &&
  Buffer.byteLength(name) <= NAME_BYTES_MAX;
