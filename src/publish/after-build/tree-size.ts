// How large the output tree is, for people who look at it. Counting goes through every file's entry, so it is done once
// for each build.
import type { Manifest } from '../manifest/manifest.ts';

export type TreeSize = { readonly files: number; readonly bytes: number };

/** Of the newest whole build; while one runs, of the one before it. Null before the first. */
export const createTreeSize = (
  manifest: Pick<Manifest, 'state' | 'allFiles'>,
): (() => TreeSize | null) => {
  let counted: TreeSize | null = null;
  let countedGeneration = -1;
  return () => {
    const state = manifest.state();
    if (state === null || state.generation === countedGeneration) return counted;
    let [files, bytes] = [0, 0];
    for (const { size } of manifest.allFiles()) {
      files += 1;
      bytes += size;
    }
    countedGeneration = state.generation;
    counted = { files, bytes };
    return counted;
  };
};
