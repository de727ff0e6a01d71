// Puts files for a host where it reads them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { HostFile } from '../../src/publish/hosts/host.ts';

export const placeFiles = (folder: string, files: readonly HostFile[]): void => {
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
};
