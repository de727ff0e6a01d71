// Compares two files, piece by piece, without stopping the event loop.
import { type FileHandle, open } from 'node:fs/promises';

const CHUNK_BYTES = 1024 * 1024;

/** False also when one of them cannot be read. */
export const hasSameBytes = async (a: string, b: string): Promise<boolean> => {
  const handles: FileHandle[] = [];
  try {
    for (const path of [a, b]) handles.push(await open(path));
    const [one, other] = handles as [FileHandle, FileHandle];
    return await compare(one, other);
  } catch {
    return false;
  } finally {
    for (const handle of handles) await handle.close();
  }
};

const compare = async (one: FileHandle, other: FileHandle): Promise<boolean> => {
  const [left, right] = [Buffer.alloc(CHUNK_BYTES), Buffer.alloc(CHUNK_BYTES)];
  for (let at = 0; ; at += CHUNK_BYTES) {
    const [{ bytesRead }, { bytesRead: others }] = await Promise.all([
      one.read(left, 0, CHUNK_BYTES, at),
      other.read(right, 0, CHUNK_BYTES, at),
    ]);
    if (bytesRead !== others) return false;
    if (!left.subarray(0, bytesRead).equals(right.subarray(0, bytesRead))) return false;
    if (bytesRead < CHUNK_BYTES) return true;
  }
};
