// Files that are written while they are hashed have all their bytes, wherever blocks end, and several at once.
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { statKeyOf } from '../../../../src/base/files/stat-key.ts';
import { WholeFiles } from '../../../../src/publish/output/session/whole-file.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const BLOCK = 1024 * 1024;

/** Lengths of pieces. */
const FILES: readonly (readonly number[])[] = [
  [],
  [0],
  [1],
  [BLOCK - 1, 1],
  [BLOCK - 1, 2],
  [BLOCK],
  [BLOCK + 1],
  [5, 3 * BLOCK, 7, BLOCK - 7, 1],
  Array.from({ length: 700 }, (_, at) => 1 + ((at * 7919) % 9_973)),
  [BLOCK / 4 - 1],
  [BLOCK, BLOCK / 4],
];

const pieceOf = (length: number, seed: number): Buffer => Buffer.alloc(length, `piece ${seed} `);

test('each file has the bytes of its pieces, their hash and its stat key', async () => {
  const folder = temporaryFolder();
  const whole = new WholeFiles();
  // Twice, for memory is used again; and all at once.
  for (const round of ['first', 'second']) {
    const written = FILES.map(async (lengths, nth) => {
      const pieces = lengths.map((length, at) => pieceOf(length, nth + at));
      const path = join(folder, `${round}-${nth}`);
      const file = await whole.write(path, pieces);
      const bytes = Buffer.concat(pieces);
      const sha256 = createHash('sha256').update(bytes).digest();
      const statKey = statKeyOf(statSync(path, { bigint: true }));
      expect(file, path).toEqual({ temporary: path, size: bytes.length, sha256, statKey });
      expect(readFileSync(path).equals(bytes), path).toBe(true);
    });
    await Promise.all(written);
  }
});
