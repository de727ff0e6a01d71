// What a server of plain files has at a raw path: its bytes, or null. Paths that lead elsewhere have nothing.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { MatrixSite } from './site.ts';

export const fileAt = ({ output }: Pick<MatrixSite, 'output'>, path: string): Buffer | null => {
  try {
    const file = join(output, decodeURIComponent(path));
    const isPlain = !/\/\/|\/(?:\.|%2e)|%2f|%5c|%00/i.test(path) && existsSync(file);
    return isPlain && statSync(file).isFile() ? readFileSync(file) : null;
  } catch {
    return null;
  }
};
