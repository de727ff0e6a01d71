// The short form tries an eighth of the sabotages, the same in every run, so that a commit never fails by chance;
// PREPRESS_SABOTAGES=1 to 7 tries another eighth, and the long form all. What a sabotaged program never does is
// not waited for as long as what one that works may take.
import { createHash } from 'node:crypto';
import { beforeEach } from 'vitest';
import { IS_LONG, SABOTAGES_IN, SABOTAGES_PART } from './size.ts';

beforeEach((context) => {
  const { name, fullTestName } = context.task;
  if (name.startsWith('catches')) process.env.PREPRESS_TEST_WAIT_MS = '15000';
  else delete process.env.PREPRESS_TEST_WAIT_MS;
  if (IS_LONG || !name.startsWith('catches')) return;
  const [digit = 0] = createHash('sha256').update(fullTestName).digest();
  context.skip(digit % SABOTAGES_IN !== SABOTAGES_PART, 'in the long form');
});
