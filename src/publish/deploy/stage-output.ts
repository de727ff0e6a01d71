// Decides what a target needs of the output, and gives those files a further name (a hard link, or a copy) while no build
// runs. So builds go on while the files are carried, and a target gets one build, not parts of two.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PrepressError } from '../../base/errors.ts';
import { forEachYielding } from '../../base/threads/for-each-yielding.ts';
import { StagedFiles } from '../output/session/staged-files.ts';
import { isOfTree } from './deploy.ts';
import { findLocalFile, isBeside, isTreeFolder, localFiles } from './local-files.ts';
import { type OutputAtRest, type OutputSource, withOutputAtRest } from './output-source.ts';
import type { LocalFile } from './target.ts';
import type { UploadedFiles } from './uploaded.ts';

/** What a target gets of the output, and what may be removed there. */
export type Selected = {
  readonly isCarried: (path: string) => boolean;
  /** Files that stand at the target and are never touched. */
  readonly isKept: (path: string) => boolean;
  /** All that the target lists was carried, so that it may be removed. */
  readonly listsCarried: boolean;
};

/** What is known of the target before. */
export type Base = {
  /** The journal's entry of the build that it has, or with which it was compared; null: there is no journal. */
  readonly entry: string | null;
  /** What differed when it was compared; null: it was not. */
  readonly differing: readonly string[] | null;
  /** Files beside the tree that it has, or that the output had when they were compared, with their stat keys. */
  readonly beside: UploadedFiles;
};

export type Staged = {
  readonly changed: readonly LocalFile[];
  readonly removed: readonly string[];
  /** The build that was staged, and its entry in the journal. */
  readonly generation: number;
  readonly entry: string | null;
  /** Files beside the tree, with their stat keys. */
  readonly beside: UploadedFiles;
};

type StageInput = {
  readonly source: OutputSource;
  readonly selected: Selected;
  readonly base: Base;
  /** What earlier runs carried beside the tree. */
  readonly carried: UploadedFiles;
  /** Paths of the content folders that the target may have. */
  readonly trees: readonly string[];
  /** An empty folder, or none. */
  readonly staging: string;
  readonly signal: AbortSignal | undefined;
};

/** Files that are looked at in one tick of the event loop. */
const LOOKED_AT = 500;

/** Null when it is not known what changed since the base. Throws OUTPUT_DIFFERS where a file of the build is missing. */
export const stageOutput = (input: StageInput): Promise<Staged | null> =>
  withOutputAtRest(input.source, input.signal, async (rest) => {
    const { base, selected } = input;
    const news = base.entry === null ? [] : rest.since(base.entry);
    if (news === null) return null;
    const beside = await listBeside(input.source, selected);
    const renewed = [...beside].filter(([path, statKey]) => base.beside.get(path) !== statKey);
    if (base.differing !== null) throwIfBlobIsMissing(rest, input.source.output);
    const gone = [...base.beside.keys()].filter((path) => !beside.has(path));
    const looked = new Set([
      ...(base.differing ?? []),
      ...gone,
      ...news.filter((path) => selected.isCarried(path)),
      ...renewed.map(([path]) => path),
    ]);
    const { generation, entry } = rest;
    return { ...(await stage(input, rest, looked)), generation, entry, beside };
  });

const listBeside = async (
  { output, content }: OutputSource,
  { isCarried }: Selected,
): Promise<UploadedFiles> => {
  const found = new Map<string, string>();
  const note = ({ path, statKey }: { path: string; statKey: string }): void => {
    if (isBeside(path, content) && isCarried(path)) found.set(path, statKey);
  };
  await forEachYielding(localFiles(output, isTreeFolder(content)), note, LOOKED_AT);
  return found;
};

const stage = async (
  { source, selected, carried, trees, staging }: StageInput,
  rest: OutputAtRest,
  paths: Iterable<string>,
): Promise<Pick<Staged, 'changed' | 'removed'>> => {
  const { isCarried, isKept } = selected;
  const changed: LocalFile[] = [];
  const removed: string[] = [];
  const staged = new StagedFiles(staging);
  const take = (path: string): void => {
    if (isKept(path)) return;
    const file = isCarried(path) ? findLocalFile(source.output, path) : null;
    if (file !== null) {
      const temporary = staged.alias(join(source.output, path));
      changed.push({ path, size: file.size, read: () => readFileSync(temporary) });
      return;
    }
    if (isCarried(path) && rest.has(path)) throw missing(path);
    if (isRemovable(path, { trees, selected, carried })) removed.push(path);
  };
  await forEachYielding(paths, take, LOOKED_AT);
  return { changed, removed };
};

/** Files of other shapes are somebody else's, and stay, if no earlier run carried them. */
export const isRemovable = (
  path: string,
  { trees, selected, carried }: Pick<StageInput, 'trees' | 'selected' | 'carried'>,
): boolean =>
  !selected.isKept(path) &&
  (selected.listsCarried || carried.has(path) || trees.some((content) => isOfTree(path, content)));

/** The root would lead to it. */
const throwIfBlobIsMissing = (rest: OutputAtRest, output: string): void => {
  const lost = rest.blobs().find((path) => !existsSync(join(output, path)));
  if (lost !== undefined) throw missing(lost);
};

/** What the newest build has, and is gone from the output, would go from the target, too. */
const missing = (path: string): PrepressError =>
  new PrepressError(
    'OUTPUT_DIFFERS',
    `${path} is missing in the output; "prepress build --full" writes it again.`,
  );
