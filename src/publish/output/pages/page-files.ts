// Places pages for people beside the content interface: equal files are left alone, others are renamed in whole, pages that
// are gone now are removed. A record in data/ says which files are pages; every other one is somebody else's and stays.
import { readFileSync, realpathSync, unlinkSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { PrepressError } from '../../../base/errors.ts';
import { withDiskErrors } from '../../../base/files/disk-error.ts';
import { hashOfBytes } from '../../../base/files/file-hash.ts';
import { makeFolder } from '../../../base/files/make-folder.ts';
import { removeEmptyAbove } from '../../../base/files/remove-empty.ts';
import { findStat, isAbsent } from '../../../base/files/stat-key.ts';
import { RESERVED_NAMES } from '../../../content/paths/reserved-names.ts';
import { listPlacedFiles } from '../copies/host-files.ts';
import { openWrittenFiles, RECORDS, type WrittenFiles } from '../copies/written-files.ts';
import type { Page, PageFilesInput } from './page.ts';
import { writePages } from './write-pages.ts';

export type PageFilesReport = {
  readonly written: readonly string[];
  readonly removed: readonly string[];
  /** Pages that were not placed because a file that is no page stands there. */
  readonly blocked: readonly string[];
};

/** Pages hide no address of the interface, with Ghost's prefix or without. */
export const RESERVED_PAGE_NAMES: readonly string[] = [...RESERVED_NAMES, 'ghost'];

/** The page about the interface stands at the interface's own root. */
const EXPLORER = 'content/index.html';

/**
 * The caller holds the lock of the pages. Pages that show an older build than those in place are dropped.
 * Throws PAGES_INVALID for a page at an address of the interface, outside the folder or named
 * twice, OUTPUT_UNWRITABLE for the disk.
 */
export const placePages = async (input: PageFilesInput): Promise<PageFilesReport> => {
  checkPaths(input.pages);
  return withDiskErrors({ code: 'OUTPUT_UNWRITABLE', place: 'a page' }, () => place(input));
};

const place = async (input: PageFilesInput): Promise<PageFilesReport> => {
  const { generation, isPartial = false } = input;
  makeFolder(input.root);
  const root = realpathSync(input.root);
  const record = openWrittenFiles(input.record, root);
  const isOutdated = record.generation > generation.shown && record.generation <= generation.newest;
  if (isOutdated) return { written: [], removed: [], blocked: [] };

  // No page replaces the rules of a host, and none that stood in their place before takes them away.
  const rules = new Set(listPlacedFiles(join(dirname(input.record), RECORDS.hosts), root));
  const pages = [...ownPages(root, input, record), ...(input.copies ?? [])];
  const own = new Set(pages.filter((path) => !rules.has(path)));
  const plan = planPlacing(root, input.pages, own);
  const placed = new Set(plan.standing);
  const gone = [...record.paths].filter(
    (path) => !placed.has(path) && !plan.asked.has(path) && !rules.has(path),
  );
  const staying = new Set(input.kept);
  const kept = gone.filter((path) => isPartial || staying.has(path));
  record.save(record.generation, [...record.paths, ...placed]);
  const removed = gone.filter(
    (path) => !(isPartial || staying.has(path)) && removePage(root, path),
  );
  const written = await writePages(root, plan.changed, input);
  // A page that was not written stands there with its bytes, which may take long to make again.
  const hashOf = ({ path, stagedHash }: Page): string =>
    written.get(path) ?? stagedHash ?? hashOfBytes(readFileSync(join(root, path)));
  const standing = input.pages.filter(({ path }) => placed.has(path));
  const hashes = new Map(standing.map((page) => [page.path, hashOf(page)]));
  record.save(generation.shown, [...placed, ...kept], hashes);
  return { written: [...written.keys()], removed, blocked: plan.blocked };
};

/**
 * Where the record was lost, as after a restore without it, the page of the program is known by its mark. Pages of a
 * person's own templates have none: unless their bytes are the same they stay.
 */
const ownPages = (
  root: string,
  { pages }: PageFilesInput,
  { isKnown, paths }: Pick<WrittenFiles, 'isKnown' | 'paths'>,
): ReadonlySet<string> =>
  isKnown
    ? paths
    : new Set(pages.map(({ path }) => path).filter((path) => isOwnPage(join(root, path))));

/** As content/index.njk has it. */
const OWN_MARK = '<meta name="generator" content="Prepress">';

/** True of a file that the program's own template made. */
export const isOwnPage = (path: string): boolean =>
  findStat(path)?.isFile() === true && readFileSync(path, 'utf8').includes(OWN_MARK);

const checkPaths = (pages: readonly Page[]): void => {
  const seen = new Set<string>();
  for (const { path } of pages) {
    const [first = ''] = path.split('/');
    if (posix.isAbsolute(path) || path.split('/').some((name) => ['', '.', '..'].includes(name))) {
      throw invalid(`The page ${path} lies outside the folder of the pages.`);
    }
    if (RESERVED_PAGE_NAMES.includes(first.toLowerCase()) && path !== EXPLORER) {
      throw invalid(`The page ${path} would be at an address of the interface (/${first}/).`);
    }
    if (seen.has(path)) throw invalid(`Two templates write the page ${path}.`);
    seen.add(path);
  }
};

const invalid = (message: string): PrepressError => new PrepressError('PAGES_INVALID', message);

type Plan = {
  readonly asked: ReadonlySet<string>;
  /** Pages that stand in their place when all is done. */
  readonly standing: readonly string[];
  readonly changed: readonly Page[];
  readonly blocked: readonly string[];
};

const planPlacing = (root: string, pages: readonly Page[], own: ReadonlySet<string>): Plan => {
  const standing: string[] = [];
  const changed: Page[] = [];
  const blocked: string[] = [];
  for (const page of pages) {
    const found = findInPlace(root, page, own);
    if (found === 'foreign') blocked.push(page.path);
    else standing.push(page.path);
    if (found === 'other') changed.push(page);
  }
  return { asked: new Set(pages.map(({ path }) => path)), standing, changed, blocked };
};

/** What stands in a page's place: it, something that a page may replace, or what is somebody else's. */
const findInPlace = (
  root: string,
  { path, read }: Page,
  own: ReadonlySet<string>,
): 'same' | 'other' | 'foreign' => {
  for (let folder = posix.dirname(path); folder !== '.'; folder = posix.dirname(folder)) {
    const stat = findStat(join(root, folder));
    if (stat !== undefined && !stat.isDirectory()) return own.has(folder) ? 'other' : 'foreign';
  }
  const stat = findStat(join(root, path));
  if (stat === undefined) return 'other';
  if (stat.isFile() && readFileSync(join(root, path)).equals(read())) return 'same';
  const isOwnFolder = (): boolean => [...own].some((page) => page.startsWith(`${path}/`));
  return own.has(path) || (stat.isDirectory() && isOwnFolder()) ? 'other' : 'foreign';
};

/** Removes a page and the folders that it leaves empty; true when there was such a file. */
const removePage = (root: string, path: string): boolean => {
  try {
    unlinkSync(join(root, path));
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
  removeEmptyAbove(root, path);
  return true;
};
