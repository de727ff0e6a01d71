// Compresses documents, and tells whether what stands compressed still has the bytes of its document.
// Records' files are small and compressed at once, in the thread that makes them. Lists may be large: they
// go through streams, which work in threads of the pool and take little memory.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, readFileSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import {
  type BrotliOptions,
  brotliCompressSync,
  brotliDecompressSync,
  constants,
  createBrotliCompress,
  createBrotliDecompress,
  createGunzip,
  createGzip,
  gunzipSync,
  gzipSync,
} from 'node:zlib';
import { isFile } from '../../../base/files/stat-key.ts';
import type { Encoding } from '../../../content/paths/sidecars.ts';

const brotli = (quality: number, windowBits: number): BrotliOptions => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_LGWIN]: windowBits,
  },
});

/** Higher levels take longer than they save, larger windows more memory: an edit packs lists anew, some at once. */
const RECORDS = { gzip: { level: 6 }, br: brotli(5, 16) } as const;
const LISTS = { gzip: { level: 4 }, br: brotli(4, 18) } as const;

const CHUNK_BYTES = 256 * 1024;
/** Larger files are not read into memory. */
const WHOLE_BYTES_MAX = 1024 * 1024;

export const compress = (bytes: Buffer, encoding: Encoding): Buffer =>
  encoding === 'br' ? brotliCompressSync(bytes, RECORDS.br) : gzipSync(bytes, RECORDS.gzip);

/** True when a regular file stands at `path` that holds `bytes`, compressed. */
export const holdsCompressed = (path: string, encoding: Encoding, bytes: Buffer): boolean =>
  decompress(path, encoding, bytes.length)?.equals(bytes) === true;

/** Writes a new file at `target`. */
export const compressFile = (source: string, target: string, encoding: Encoding): Promise<void> =>
  pipeline(
    createReadStream(source, { highWaterMark: CHUNK_BYTES }),
    encoding === 'br'
      ? createBrotliCompress({ ...LISTS.br, chunkSize: CHUNK_BYTES })
      : createGzip({ ...LISTS.gzip, chunkSize: CHUNK_BYTES }),
    createWriteStream(target, { flags: 'wx' }),
  );

export type FileFacts = { readonly size: number; readonly sha256: Buffer };

/** True when a regular file stands at `path` that holds, compressed, the bytes of that hash. */
export const holdsHash = async (
  path: string,
  encoding: Encoding,
  { size, sha256 }: FileFacts,
): Promise<boolean> => {
  const hash = createHash('sha256');
  if (size <= WHOLE_BYTES_MAX) {
    const bytes = decompress(path, encoding, size);
    return bytes !== null && hash.update(bytes).digest().equals(sha256);
  }
  if (!isFile(path)) return false;
  const unpacked = encoding === 'br' ? createBrotliDecompress() : createGunzip();
  let read = 0;
  try {
    await pipeline(createReadStream(path), unpacked, async (chunks) => {
      for await (const chunk of chunks as AsyncIterable<Buffer>) {
        read += chunk.length;
        if (read > size) throw new RangeError('The file holds more than its document.');
        hash.update(chunk);
      }
    });
  } catch {
    return false;
  }
  return hash.digest().equals(sha256);
};

/** Null when no file stands there, or one that is broken or holds more bytes. */
const decompress = (path: string, encoding: Encoding, size: number): Buffer | null => {
  if (!isFile(path)) return null;
  // Of nothing at all there is no buffer.
  const options = { maxOutputLength: Math.max(size, 1) };
  try {
    const packed = readFileSync(path);
    return encoding === 'br' ? brotliDecompressSync(packed, options) : gunzipSync(packed, options);
  } catch {
    return null;
  }
};
