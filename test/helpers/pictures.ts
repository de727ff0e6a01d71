// Pictures of any sides for tests, and the worker that makes their sizes, bundled beside the program.
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import sharp from 'sharp';

export const SIZE_WORKER = join(import.meta.dirname, '../../dist/size-worker.js');

/** Why tests that need the worker are skipped, or false. */
export const skipSizes: string | false = existsSync(SIZE_WORKER)
  ? false
  : 'dist/size-worker.js is absent: npm run bundle makes it';

/** Noise, so that no file is small by chance; its format is that of the ending. */
export const putPicture = async (file: string, width: number, height: number): Promise<void> => {
  mkdirSync(dirname(file), { recursive: true });
  await sharp({
    create: {
      ...{ width, height, channels: 3, background: '#888' },
      noise: { type: 'gaussian', mean: 128, sigma: 30 },
    },
  })
    .withMetadata({ density: 72 })
    .toFile(file);
};
