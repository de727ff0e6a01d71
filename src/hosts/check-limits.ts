// Compares what a host would get with what it takes, before anything is written.
import { PrepressError } from '../base/errors.ts';
import type { Host, HostFile } from './host.ts';
import type { TreeFigures } from './tree-figures.ts';

export type LimitLine = {
  readonly what: string;
  readonly have: number;
  readonly max: number;
};

/** One line for each limit that the host has. */
export const limitLines = (
  { limits, countRules }: Host,
  files: readonly HostFile[],
  tree: TreeFigures,
): LimitLine[] => {
  const largest = Math.max(0, ...files.map(({ text }) => Buffer.byteLength(text)));
  const rows: readonly (readonly [string, number, number | undefined])[] = [
    ['files', tree.files + files.length, limits.filesMax],
    [
      `bytes of ${tree.largest.path || 'the largest file'}`,
      tree.largest.bytes,
      limits.fileBytesMax,
    ],
    ['bytes in all', tree.bytes, limits.treeBytesMax],
    [`entries of ${tree.folder.path}`, tree.folder.entries, limits.folderEntriesMax],
    ['rules', countRules?.(files) ?? 0, limits.rulesMax],
    ['bytes of the function', largest, limits.hostFileBytesMax],
  ];
  return rows.flatMap(([what, have, max]) => (max === undefined ? [] : [{ what, have, max }]));
};

/** Throws VALIDATION with every limit that is passed. */
export const checkLimits = (host: Host, lines: readonly LimitLine[]): void => {
  const passed = lines.filter(({ have, max }) => have > max);
  if (passed.length === 0) return;
  const sentences = passed.map(
    ({ what, have, max }) => `${grouped(have)} ${what}, of at most ${grouped(max)}`,
  );
  throw new PrepressError('VALIDATION', `${host.title} would get ${sentences.join('; ')}.`, {
    details: passed,
  });
};

export const grouped = (count: number): string => count.toLocaleString('en');
