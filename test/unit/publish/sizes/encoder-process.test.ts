// The process that encodes pictures: one that ended between two of them is none of the next one's business.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createEncoderProcess } from '../../../../src/publish/sizes/encoder-process.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const ENDS_AFTER_ONE = `process.on('message', () => {
  const encoded = { hash: String(process.pid), made: {}, fault: null };
  process.send({ encoded }, () => process.exit());
});`;

test('a picture after one whose process ended has a process of its own', async () => {
  const file = join(temporaryFolder(), 'worker.mjs');
  writeFileSync(file, ENDS_AFTER_ONE);
  const encoder = createEncoderProcess(file, 0);
  onTestFinished(encoder.close);
  const request = { file: 'a.jpg', sizes: [], folder: '.' };
  const first = await encoder.encode(request);
  await eventually(() => expect(() => process.kill(Number(first?.hash), 0)).toThrow());
  const second = await encoder.encode(request);
  expect(Number(second?.hash)).toBeGreaterThan(0);
  expect(second?.hash).not.toBe(first?.hash);
});
