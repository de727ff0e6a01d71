// Carries files to a target: blobs, pictures, records, lists and pages, then the root of the packed tree, then removals, of
// which lists are the first, and the summary of the tree last. The invariant: whenever it breaks off, neither a list nor the
// root at the target names a file that is absent; the next run goes on from what stands there.
import { PrepressError } from '../../base/errors.ts';
import { forEachYielding } from '../../base/threads/for-each-yielding.ts';
import { IMAGE_FOLDERS, SUMMARY_FILE } from '../../content/paths/files.ts';
import { findDocument } from '../../content/paths/sidecars.ts';
import { isBlob, PACKED_ROOT_FILE } from '../../content/tree/names.ts';
import type { DeployPlan, DeployTarget, LocalFile, StandingFile } from './target.ts';

export type CarryInput = {
  readonly target: DeployTarget;
  readonly changed: readonly LocalFile[];
  readonly removed: readonly string[];
  /** Path of the content folder in the output, with a slash at its end. */
  readonly content: string;
  /** Told the files that were carried, and those that are to be. */
  readonly onProgress?: ((files: number, total: number) => void) | undefined;
  /** Ends it between two batches. */
  readonly signal?: AbortSignal | undefined;
};

const BATCH = 500;

export const carry = async (input: CarryInput): Promise<DeployPlan> => {
  const { target, changed, removed, content, onProgress, signal } = input;
  await target.begin?.({ written: changed.map(({ path }) => path), removed });
  const written: string[] = [];
  const put = async (stage: Stage): Promise<void> => {
    const group = changed.filter(({ path }) => stageOf(path, content) === stage);
    for (let at = 0; at < group.length; at += BATCH) {
      signal?.throwIfAborted();
      const batch = group.slice(at, at + BATCH);
      await target.put(batch);
      written.push(...batch.map(({ path }) => path));
      onProgress?.(written.length, changed.length);
    }
  };
  for (const stage of PUTS) await put(stage);
  for (const stage of REMOVALS) {
    const group = removed.filter((path) => stageOf(path, content) === stage);
    if (group.length > 0) await target.remove(sidecarsFirst(group, content));
  }
  await put('summary');
  const report = { written, removed };
  await target.finish?.(report);
  return report;
};

type CompareInput = {
  readonly target: DeployTarget;
  readonly files: readonly LocalFile[];
  readonly isRemovable: (path: string) => boolean;
};

export type Differences = {
  readonly changed: readonly LocalFile[];
  readonly removed: readonly string[];
};

/** Files that are read for a comparison in one tick of the event loop. */
const COMPARED = 100;

export const findDifferences = async (input: CompareInput): Promise<Differences> => {
  const { target, files, isRemovable } = input;
  const standing = await target.list();
  const changed: LocalFile[] = [];
  const compare = (file: LocalFile): void => {
    const there = standing.get(file.path);
    if (there === undefined || !isSame(target, file, there)) changed.push(file);
  };
  await forEachYielding(files, compare, COMPARED);
  const local = new Set(files.map(({ path }) => path));
  const removed = [...standing.keys()].filter((path) => !local.has(path) && isRemovable(path));
  return { changed, removed };
};

/** A file that a build removed meanwhile differs. */
const isSame = (target: DeployTarget, file: LocalFile, there: StandingFile): boolean => {
  try {
    return target.isSame(file, there);
  } catch (error) {
    if (error instanceof PrepressError && error.code === 'BUILD_BUSY') return false;
    throw error;
  }
};

type Stage = 'blob' | 'media' | 'record' | 'list' | 'root' | 'summary';

/** What names others comes after them. */
const PUTS: readonly Stage[] = ['blob', 'media', 'record', 'list', 'root'];

/** What names others goes first. */
const REMOVALS: readonly Stage[] = ['list', 'root', 'record', 'media', 'blob', 'summary'];

const RECORD =
  /^(?:posts|pages|tags|authors)\/(?:[0-9a-f]{24}|slug\/[^/]+)\/(?:[a-z-]+\.json|index\.html)$/;
const LIST = /^(?:posts|pages|tags|authors)\/(?:[a-z0-9-]+\.json|index\.html)$/;
const SINGLE = /^(?:settings|tiers|search-index\/(?:posts|authors|tags))\/index\.(?:json|html)$/;

/** What no list names, as styles, comes before whatever shows it. */
const stageOf = (path: string, content: string): Stage => {
  if (!path.startsWith(content)) return /\.html$/.test(path) ? 'list' : 'record';
  const name = documentOf(path.slice(content.length));
  if (name === SUMMARY_FILE) return 'summary';
  if (name === PACKED_ROOT_FILE) return 'root';
  if (isBlob(name)) return 'blob';
  if (IMAGE_FOLDERS.some((folder) => name.startsWith(`${folder}/`))) return 'media';
  return LIST.test(name) ? 'list' : 'record';
};

/** A server may go on sending a sidecar whose file is gone. */
const sidecarsFirst = (paths: readonly string[], content: string): string[] => {
  const isSidecar = (path: string): boolean => findDocument(path.slice(content.length)) !== null;
  return [...paths.filter(isSidecar), ...paths.filter((path) => !isSidecar(path))];
};

/** A sidecar comes and goes with its file. */
const documentOf = (name: string): string => findDocument(name) ?? name;

/** By its shape. */
export const isOfTree = (path: string, content: string): boolean => {
  const name = path.startsWith(content) ? documentOf(path.slice(content.length)) : '';
  const isDocument = [RECORD, LIST, SINGLE].some((shape) => shape.test(name));
  return isDocument || name === PACKED_ROOT_FILE || isBlob(name);
};
