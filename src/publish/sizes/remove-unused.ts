// Removes sizes that no record asks for any more.
import { rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { tryBuildLock } from '../../publication/store/locks/build-lock.ts';
import type { SizesPlace } from './place-sizes.ts';
import { sizesLockOf } from './sizes-index.ts';
import { wantedSizes } from './wanted-sizes.ts';

/** `isSwept`: files that the index does not know go, too, but not while pictures wait: theirs may be there. */
export const removeUnused = async (
  { index, settings, folder }: Pick<SizesPlace, 'index' | 'settings' | 'folder'>,
  { isSwept }: { readonly isSwept: boolean },
): Promise<void> => {
  const asked = new Map<string, ReadonlySet<string>>();
  const askedOf = (hash: string): ReadonlySet<string> => {
    const uses = index.pathsOf(hash).flatMap((path) => index.usesOf(path));
    const sizes = asked.get(hash) ?? new Set(wantedSizes(uses, settings));
    asked.set(hash, sizes);
    return sizes;
  };
  const unused = index.forgetUnused((hash, size) => askedOf(hash).has(size));
  // Beside a run that makes sizes, files stand that the index does not know yet.
  const isWaiting = index.totals().waiting > 0;
  const lock = isSwept && !isWaiting ? tryBuildLock(sizesLockOf(folder)) : null;
  try {
    if (lock !== null) unused.push(...(await listFiles(folder)));
    for (const file of new Set(unused)) {
      if (!index.isFileNeeded(file)) rmSync(join(folder, file), { force: true });
    }
  } finally {
    lock?.release();
  }
};

/** As the index calls them, and what a run that was killed left. */
const listFiles = async (folder: string): Promise<string[]> => {
  const names = await readdir(folder);
  const folders = names.filter((name) => /^[0-9a-f]{2}$/.test(name));
  const files = await Promise.all(
    folders.map(async (name) =>
      (await readdir(join(folder, name))).map((file) => `${name}/${file}`),
    ),
  );
  return [...files.flat(), ...names.filter((name) => /^\.[0-9a-f]+\.new$/.test(name))];
};
