// Checks the sizes in the output: each that was placed stands as it was placed.
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { closing } from '../../base/closing.ts';
import { findStat } from '../../base/files/stat-key.ts';
import type { DataPaths } from '../../settings/data-paths.ts';
import type { Finding } from '../manifest/finding.ts';
import { isFileOf } from './place-sizes.ts';
import { indexFileOf, openSizesIndex } from './sizes-index.ts';

/** Paths are relative to the content folder. The caller holds the build lock. */
export const verifySizes = ({
  sizes,
  contentFolder,
}: Pick<DataPaths, 'sizes' | 'contentFolder'>): Finding[] => {
  if (!existsSync(indexFileOf(sizes)) || !existsSync(contentFolder)) return [];
  const root = realpathSync(contentFolder);
  const placed = closing(openSizesIndex(sizes), (index) => index.placedIn(root));
  return placed.flatMap(({ address, ...seen }) => {
    const found = findStat(join(root, address));
    if (isFileOf(found, seen)) return [];
    return [{ path: address, reason: found === undefined ? ABSENT : OTHER }];
  });
};

const ABSENT = 'the file is missing; it is a picture in a size';
const OTHER = 'something else than the picture in this size stands there';
