// What a folder holds; nothing where there is no folder, as where a file stands in its place, here or above.

import { type Dirent, readdirSync } from 'node:fs';
import { isAbsent } from '../../../base/files/stat-key.ts';

export const findEntries = (folder: string): Dirent[] => {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
};
