// The short form tries a quarter of the sabotages, others from run to run; the long one tries all.
import { createHash } from 'node:crypto';
import { beforeEach } from 'vitest';
import { SEED } from '../helpers/random.ts';
import { IS_LONG } from './size.ts';

beforeEach((context) => {
  const { name, fullTestName } = context.task;
  if (IS_LONG || !name.startsWith('catches')) return;
  const [digit = 0] = createHash('sha256').update(fullTestName).digest();
  context.skip(digit % 4 !== SEED % 4, 'in the long form, and in other runs of the short one');
});
