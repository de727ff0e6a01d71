// The thread that converts editor documents, as tests have it: bundled beside the program, the packages those of
// development.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const FORMAT_WORKER = join(import.meta.dirname, '../../dist/format-worker.js');

/** Why tests that need the thread are skipped, or false. */
export const skipFormats: string | false = existsSync(FORMAT_WORKER)
  ? false
  : 'dist/format-worker.js is absent: npm run bundle makes it';
