// Everything below a folder. Links are listed and not followed, which Node.js's own recursive listing is not the
// same about in all its versions.
import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';

export const listBelow = (folder: string): Dirent[] => {
  const found: Dirent[] = [];
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    for (const entry of readdirSync(next, { withFileTypes: true })) {
      found.push(entry);
      if (entry.isDirectory()) folders.push(join(entry.parentPath, entry.name));
    }
  }
  return found;
};
