// A flag that V8 does not know is passed over without a word.
import { execFileSync } from 'node:child_process';
import { setFlagsFromString } from 'node:v8';
import { expect, test, vi } from 'vitest';
import { collectOften } from '../../../../src/serve/program/collect-often.ts';

vi.mock('node:v8', () => ({ setFlagsFromString: vi.fn() }));

test('a program that stays open sets a flag that this Node.js knows', () => {
  collectOften();
  const [[flag]] = vi.mocked(setFlagsFromString).mock.calls as [[string]];
  const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  expect(known).toContain(`  ${flag.replace(/=.*/, '')} (`);
});
