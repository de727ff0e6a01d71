// Carries the output to a target: records first, then lists and pages, then removals, and the summary of
// the tree last. The invariant: whenever it breaks off, no list at the target names a file that is absent;
// the next run goes on from what stands there.
import { SUMMARY_FILE } from '../paths/files.ts';
import type { DeployReport, DeployTarget, LocalFile } from './target.ts';

export type DeployInput = {
  readonly target: DeployTarget;
  readonly files: readonly LocalFile[];
  /** Path of the content folder in the output, with a slash at its end. */
  readonly content: string;
  /** Told the files that were carried, and those that are to be. */
  readonly onProgress?: (files: number, total: number) => void;
};

const BATCH = 500;

export const deploy = async (input: DeployInput): Promise<DeployReport> => {
  const { target, files, content, onProgress } = input;
  const standing = await target.list();
  const changed = files.filter((file) => {
    const there = standing.get(file.path);
    return there === undefined || !target.isSame(file, there);
  });
  const local = new Set(files.map(({ path }) => path));
  const removed = [...standing.keys()].filter(
    (path) => !local.has(path) && isOfTree(path, content),
  );
  await target.begin?.({ written: changed.map(({ path }) => path), removed });
  const written: string[] = [];
  const put = async (stage: Stage): Promise<void> => {
    const group = changed.filter(({ path }) => stageOf(path, content) === stage);
    for (let at = 0; at < group.length; at += BATCH) {
      const batch = group.slice(at, at + BATCH);
      await target.put(batch);
      written.push(...batch.map(({ path }) => path));
      onProgress?.(written.length, changed.length);
    }
  };
  await put('record');
  await put('list');
  await target.remove(removed);
  await put('summary');
  const report = { written, removed, unchanged: files.length - changed.length };
  await target.finish?.(report);
  return report;
};

type Stage = 'record' | 'list' | 'summary';

const RECORD =
  /^(?:posts|pages|tags|authors)\/(?:[0-9a-f]{24}|slug\/[^/]+)\/(?:[a-z-]+\.json|index\.html)$/;
const LIST = /^(?:posts|pages|tags|authors)\/(?:[a-z0-9-]+\.json|index\.html)$/;

/** What no list names, images and styles, comes before whatever shows it. */
const stageOf = (path: string, content: string): Stage => {
  if (!path.startsWith(content)) return /\.html$/.test(path) ? 'list' : 'record';
  const name = path.slice(content.length);
  if (name === SUMMARY_FILE) return 'summary';
  return LIST.test(name) ? 'list' : 'record';
};

/** Files of other shapes are somebody else's, and stay. */
const isOfTree = (path: string, content: string): boolean => {
  const name = path.startsWith(content) ? path.slice(content.length) : '';
  return RECORD.test(name) || LIST.test(name);
};
