// Lists are whole whichever way their bytes take, and a file that fails is let go of.
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BLOCK_BYTES, DirectFile, takeBlock } from '../../../src/emit/direct-file.ts';
import { findStamp } from '../../../src/emit/file-stamp.ts';
import { ListFile } from '../../../src/emit/list-file.ts';
import { ListScript, writeListJob, writeListJobAside } from '../../../src/emit/list-job.ts';
import { createRandom, SEED } from '../../helpers/random.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const bytesOf = (size: number): Buffer =>
  Buffer.from(
    Uint32Array.from({ length: Math.ceil(size / 4) }, (_, at) => at * 2_654_435_761).buffer,
  ).subarray(0, size);

describe.each(['common', 'direct', 'aside'] as const)('%s', (way) => {
  test.each([
    ['nothing', 0],
    ['less than a block', 10_000],
    ['one block', BLOCK_BYTES],
    ['some blocks and a rest', BLOCK_BYTES * 3 + 12_345],
  ])('%s, appended and copied in pieces, is written whole', async (_name, size) => {
    const folder = temporaryFolder();
    const random = createRandom(SEED);
    const bytes = bytesOf(size);
    writeFileSync(join(folder, 'old'), bytes);
    const list = new ListFile(join(folder, 'new'), { way });
    for (let at = 0; at < size; ) {
      const end = Math.min(size, at + 1 + Math.floor(random() * BLOCK_BYTES * 1.5));
      if (random() < 0.5) list.append(bytes.subarray(at, end));
      else list.copy({ file: join(folder, 'old'), start: at, end });
      at = end;
      await list.settle();
    }
    await list.settle(0);
    const { temporary, sha256, stamp, ...rest } = list.finish();
    expect(rest).toEqual({ size });
    expect(readFileSync(temporary).equals(bytes)).toBe(true);
    expect(sha256).toEqual(createHash('sha256').update(bytes).digest());
    expect(stamp).toBe(findStamp(temporary));
  });
});

test('what cannot be written past the cache is left to the common way, from then on too', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'list');
  writeFileSync(path, '');
  const block = takeBlock().fill('a');
  const without = new DirectFile(path, null);
  expect(without.write(block, 0)).toBe(0);
  const absent = new DirectFile(join(folder, 'absent'));
  expect(absent.write(block, 0)).toBe(0);
  const direct = new DirectFile(path);
  // No memory that begins with a page.
  expect(direct.write(Buffer.alloc(BLOCK_BYTES + 1).subarray(1), 0)).toBe(0);
  expect(direct.write(block, 0)).toBe(0);
  expect(lstatSync(path).size).toBe(0);
  for (const file of [without, absent, direct]) file.close();
});

test('what cannot be written aside is left to the common way too', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'list');
  writeFileSync(path, '');
  const block = takeBlock().fill('a');
  const without = new DirectFile(path, null);
  expect(await without.writeAside(block, 0)).toBe(0);
  const direct = new DirectFile(path);
  // No memory that begins with a page.
  expect(await direct.writeAside(Buffer.alloc(BLOCK_BYTES + 1).subarray(1), 0)).toBe(0);
  expect(await direct.writeAside(block, 0)).toBe(0);
  expect(lstatSync(path).size).toBe(0);
  for (const file of [without, direct]) file.close();
});

const DESCRIPTORS = '/proc/self/fd';

test.skipIf(!existsSync(DESCRIPTORS))(
  'a list that fails, or is given up, leaves nothing open',
  async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'old'), 'short');
    const before = readdirSync(DESCRIPTORS).length;
    const given = new ListFile(join(folder, 'given up'), { way: 'direct' });
    given.append(bytesOf(BLOCK_BYTES * 2));
    given.copy({ file: join(folder, 'old'), start: 0, end: 5 });
    given.close();
    given.close();
    const script = new ListScript(join(folder, 'failing'));
    script.copy({ file: join(folder, 'old'), start: 0, end: 6 });
    expect(() => writeListJob(script.finish())).toThrow('The file ended before its time.');
    const aside = new ListScript(join(folder, 'failing aside'));
    aside.append(bytesOf(BLOCK_BYTES * 2));
    aside.copy({ file: join(folder, 'old'), start: 0, end: 6 });
    const writing = writeListJobAside(aside.finish());
    await expect(writing).rejects.toThrow('The file ended before its time.');
    expect(readdirSync(DESCRIPTORS)).toHaveLength(before);
  },
);
