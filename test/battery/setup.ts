// The short form tries a quarter of the sabotages, the same in every run, so that a commit never fails by chance;
// PREPRESS_SABOTAGES=1, 2 or 3 tries another quarter, and the long form all. What a sabotaged program never does is
// not waited for as long as what one that works may take.
import { createHash } from 'node:crypto';
import { beforeEach } from 'vitest';
import { IS_LONG, QUARTER } from './size.ts';

beforeEach((context) => {
  const { name, fullTestName } = context.task;
  if (name.startsWith('catches')) process.env.PREPRESS_TEST_WAIT_MS = '15000';
  else delete process.env.PREPRESS_TEST_WAIT_MS;
  if (IS_LONG || !name.startsWith('catches')) return;
  const [digit = 0] = createHash('sha256').update(fullTestName).digest();
  context.skip(digit % 4 !== QUARTER, 'in the long form');
});
