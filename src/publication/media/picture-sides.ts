// How many pixels a picture has, as a browser shows it, and which picture an address names.
import { closeSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { imageSize } from 'image-size';
import { originalOf } from '../../content/paths/files.ts';

/** The sides of a picture stand at its beginning. A JPEG may be made of millions of parts. */
const MEASURED_BYTES = 512 * 1024;

export type Sides = { readonly width: number; readonly height: number };

/** Of an ICO file, the largest picture. Null where the sides cannot be read; throws where the file cannot. */
export const findPictureSides = async (file: string): Promise<Sides | null> => {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(MEASURED_BYTES) });
    return sidesOf(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
};

/** The same, for programs in which nobody waits for anything else. */
export const readPictureSides = (file: string): Sides | null => {
  const handle = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(MEASURED_BYTES);
    return sidesOf(buffer.subarray(0, readSync(handle, buffer)));
  } finally {
    closeSync(handle);
  }
};

const sidesOf = (head: Buffer): Sides | null => {
  try {
    const { width, height, orientation = 1, images = [] } = imageSize(head);
    const sides = {
      width: Math.max(width, ...images.map((one) => one.width)),
      height: Math.max(height, ...images.map((one) => one.height)),
    };
    // From 5 on a camera was held upright.
    return orientation < 5 ? sides : { width: sides.height, height: sides.width };
  } catch {
    return null;
  }
};

/**
 * The path of an original below the content folder, by what its address, or that of one of its sizes, has after
 * /content/. Null for another file, and for one that is hidden or elsewhere.
 */
export const findPicturePath = (address: string): string | null => {
  const [written] = /^images\/[^?#]+/.exec(address) ?? [];
  if (written === undefined) return null;
  try {
    const path = originalOf(decodeURIComponent(written));
    return /(?:^|[/\\])\.|\0/.test(path) ? null : path;
  } catch {
    return null;
  }
};
