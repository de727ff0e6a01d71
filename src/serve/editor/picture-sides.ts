// How many pixels a picture has, as a browser shows it.
import { open } from 'node:fs/promises';
import { imageSize } from 'image-size';

/** The sides of a picture stand at its beginning. A JPEG may be made of millions of parts. */
const MEASURED_BYTES = 512 * 1024;

export type Sides = { readonly width: number; readonly height: number };

/** Of an ICO file, the largest picture. Null where the sides cannot be read; throws where the file cannot. */
export const findPictureSides = async (file: string): Promise<Sides | null> => {
  const head = await readHead(file);
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

const readHead = async (file: string): Promise<Buffer> => {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(MEASURED_BYTES) });
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
};
