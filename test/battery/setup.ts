// The short form tries a quarter of the sabotages, others from run to run; the long one tries all. What a sabotaged
// program never does is not waited for as long as what one that works may take.
import { createHash } from 'node:crypto';
import { beforeEach } from 'vitest';
import { SEED } from '../helpers/random.ts';
import { IS_LONG } from './size.ts';

beforeEach((context) => {
  const { name, fullTestName } = context.task;
  if (name.startsWith('catches')) process.env.PREPRESS_TEST_WAIT_MS = '15000';
  else delete process.env.PREPRESS_TEST_WAIT_MS;
  if (IS_LONG || !name.startsWith('catches')) return;
  const [digit = 0] = createHash('sha256').update(fullTestName).digest();
  context.skip(digit % 4 !== SEED % 4, 'in the long form, and in other runs of the short one');
});
