// Which files an edit touched, as the disk tells: another inode or time means that a file was written.

import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { isRecordFile, SEARCHED, SUMMARY_FILE, searchFile } from '../src/content/paths/files.ts';
import { isBlob, PACKED_ROOT_FILE } from '../src/content/tree/names.ts';
import { readTreeFacts } from './tree.ts';

export type Stamps = ReadonlyMap<string, string>;

export const readStatKeys = (tree: string): Stamps =>
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

/** Names that stood before and stand now, and were written in between. */
export const rewrittenBetween = (before: Stamps, after: Stamps): string[] =>
  touchedBetween(before, after).filter((name) => before.has(name) && after.has(name));

const COUNTS = /^(?:tags|authors)\/(?:.+\/)?(?:page-\d+-)?(?:public-)?count-posts\.json$/;

/**
 * The names that publishing a post may touch: its own, every page of posts, what counts posts, what search reads of
 * posts, and the packed tree, of which no blob that stands is written again.
 */
export const isPartOfPublish = (name: string, ids: ReadonlySet<string>): boolean => {
  if (name === SUMMARY_FILE || name === PACKED_ROOT_FILE || isBlob(name)) return true;
  if (name === searchFile('posts') || COUNTS.test(name)) return true;
  const [resource, folder, third] = name.split('/');
  if (resource !== 'posts') return false;
  return third === undefined || ids.has(folder === 'slug' ? third : (folder ?? ''));
};

const LIST = /^(?:posts|pages|tags|authors)\/[a-z0-9-]+\.json$/;

/** What a deploy carries besides the documents that stand for records, default lists and search. */
export const isBesideDocuments = (name: string): boolean =>
  !isRecordFile(name) && !LIST.test(name) && !SEARCH_FILES.includes(name);

const SEARCH_FILES: readonly string[] = SEARCHED.map(searchFile);

type TouchingEdit = {
  readonly scenario: string;
  readonly written: readonly string[];
  readonly removed: readonly string[];
  readonly touched: readonly string[] | null;
  readonly rewritten: readonly string[] | null;
};

/** Files that an edit had no reason to touch; no edit has one to write a blob again that stands. */
export const touchedNeedlessly = ({
  scenario,
  written,
  removed,
  touched,
  rewritten,
}: TouchingEdit): string[] => {
  if (touched === null || rewritten === null) throw new Error('Nobody looked at the tree.');
  const own = idsOf(written);
  const named = new Set([...written, ...removed]);
  const isForeign = (name: string): boolean =>
    scenario === 'publish' ? !isPartOfPublish(name, own) : !named.has(name);
  return [...new Set([...touched.filter(isForeign), ...rewritten.filter(isBlob)])];
};

/** Id and slug of the first post whose files were written. */
const idsOf = (written: readonly string[]): ReadonlySet<string> => {
  const ids = written.flatMap((name) => {
    const [resource, second = '', third = ''] = name.split('/');
    return resource === 'posts' && third !== '' ? [second === 'slug' ? third : second] : [];
  });
  return new Set([...new Set(ids)].slice(0, 2));
};
