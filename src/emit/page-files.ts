// Places pages for people into the output, beside the content interface: equal files are left alone, the
// others are renamed in whole, and pages of an earlier time that are gone now are removed. A record in
// data/ says which files of a tree are pages; every other file belongs to somebody else and stays as it is.
import {
  lstatSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
} from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { PrepressError } from '../base/errors.ts';
import { makeFolder } from '../base/make-folder.ts';
import { type Durability, realDurability } from './durability.ts';
import { hashOfBytes } from './file-hash.ts';
import { openPageRecord, type PageRecord } from './page-record.ts';
import { StagedFiles } from './staged-files.ts';

export type Page = {
  /** Relative to the folder of the pages, with `/`. */
  readonly path: string;
  readonly read: () => Buffer;
};

export type PageFilesInput = {
  /** Folder of the pages: output and base path. */
  readonly root: string;
  /** File that keeps which files are pages. */
  readonly record: string;
  readonly pages: readonly Page[];
  /** Number of the build that the pages show, and of the newest one. */
  readonly generation: { readonly shown: number; readonly newest: number };
  /** Pages that were placed before and stay as they are, though they are not among `pages`. */
  readonly kept?: readonly string[];
  /** The pages are some of them: none is removed for being absent. */
  readonly isPartial?: boolean;
  readonly durability?: Durability;
};

export type PageFilesReport = {
  readonly written: readonly string[];
  readonly removed: readonly string[];
  /** Pages that were not placed because a file that is no page stands there. */
  readonly blocked: readonly string[];
};

/** First names of addresses that belong to the interface and the server (decisions, Addresses). */
export const RESERVED_NAMES: readonly string[] = [
  'content',
  'admin',
  'hooks',
  'health',
  'docs',
  'desk',
  'unsubscribe',
  'ghost',
];

/** The page about the interface stands at the interface's own root. */
const EXPLORER = 'content/index.html';

const STAGING_FOLDER = '.prepress-pages';

/**
 * The caller holds the lock of the pages. Pages that show an older build than those in place are dropped.
 * Throws PAGES_INVALID for a page at an address of the interface, outside the folder or named
 * twice, OUTPUT_UNWRITABLE for the disk.
 */
export const placePages = async (input: PageFilesInput): Promise<PageFilesReport> => {
  checkPaths(input.pages);
  try {
    return await place(input);
  } catch (cause) {
    const { code, path, syscall } = cause as NodeJS.ErrnoException;
    if (syscall === undefined) throw cause;
    const sentence = `${code} at ${syscall} of ${path ?? 'a page'}.`;
    throw new PrepressError('OUTPUT_UNWRITABLE', sentence, { cause });
  }
};

const place = async (input: PageFilesInput): Promise<PageFilesReport> => {
  const { generation, isPartial = false } = input;
  makeFolder(input.root);
  const root = realpathSync(input.root);
  const record = openPageRecord(input.record, root);
  const isOutdated = record.generation > generation.shown && record.generation <= generation.newest;
  if (isOutdated) return { written: [], removed: [], blocked: [] };

  const plan = planPlacing(root, input.pages, ownPages(root, input, record));
  const placed = new Set(plan.standing);
  const gone = [...record.paths].filter((path) => !placed.has(path) && !plan.asked.has(path));
  const staying = new Set(input.kept);
  const kept = gone.filter((path) => isPartial || staying.has(path));
  record.save(record.generation, [...record.paths, ...placed]);
  const removed = gone.filter(
    (path) => !(isPartial || staying.has(path)) && removePage(root, path),
  );
  const written = await writePages(root, plan.changed, input.durability ?? realDurability);
  record.save(generation.shown, [...placed, ...kept], hashesOf(input.pages, placed));
  return { written, removed, blocked: plan.blocked };
};

/**
 * Where the record was lost, as after a restore without it, the page of the program is known by its mark. Pages of a
 * person's own templates have none: unless their bytes are the same they stay.
 */
const ownPages = (
  root: string,
  { pages }: PageFilesInput,
  { isKnown, paths }: Pick<PageRecord, 'isKnown' | 'paths'>,
): ReadonlySet<string> =>
  isKnown
    ? paths
    : new Set(pages.map(({ path }) => path).filter((path) => isOwnPage(join(root, path))));

/** As content/index.njk has it. */
const OWN_MARK = '<meta name="generator" content="Prepress">';

/** True of a file that the program's own template made. */
export const isOwnPage = (path: string): boolean =>
  findStat(path)?.isFile() === true && readFileSync(path, 'utf8').includes(OWN_MARK);

const hashesOf = (pages: readonly Page[], placed: ReadonlySet<string>): Map<string, string> =>
  new Map(
    pages
      .filter(({ path }) => placed.has(path))
      .map(({ path, read }) => [path, hashOfBytes(read())]),
  );

const checkPaths = (pages: readonly Page[]): void => {
  const seen = new Set<string>();
  for (const { path } of pages) {
    const [first = ''] = path.split('/');
    if (posix.isAbsolute(path) || path.split('/').some((name) => ['', '.', '..'].includes(name))) {
      throw invalid(`The page ${path} lies outside the folder of the pages.`);
    }
    if (RESERVED_NAMES.includes(first.toLowerCase()) && path !== EXPLORER) {
      throw invalid(`The page ${path} would stand at an address of the interface (/${first}/).`);
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

const findStat = (path: string): ReturnType<typeof lstatSync> => {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
};

/** Removes a page and the folders that it leaves empty; true when there was such a file. */
const removePage = (root: string, path: string): boolean => {
  try {
    unlinkSync(join(root, path));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
  try {
    for (let folder = posix.dirname(path); folder !== '.'; folder = posix.dirname(folder)) {
      rmdirSync(join(root, folder));
    }
  } catch {
    // The folder holds other files.
  }
  return true;
};

const writePages = async (
  root: string,
  pages: readonly Page[],
  durability: Durability,
): Promise<string[]> => {
  const staging = join(root, STAGING_FOLDER);
  rmSync(staging, { recursive: true, force: true });
  if (pages.length === 0) return [];
  try {
    const files = new StagedFiles(staging);
    const staged = pages.map(({ path, read }) => ({ path, temporary: files.write(read()) }));
    await durability.syncPaths(root, new Set(staged.map(({ temporary }) => temporary)));
    const folders = new Set<string>();
    for (const { path, temporary } of staged) {
      const target = join(root, path);
      makeFolder(dirname(target));
      renameSync(temporary, target);
      folders.add(dirname(target));
    }
    await durability.syncPaths(root, folders);
    return staged.map(({ path }) => path);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
};
