// The process that encodes pictures: one that ended between two of them is none of the next one's business, and one that
// cannot start none of any picture's.
import { ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  createEncoderProcess,
  type EncoderProcess,
} from '../../../../src/publish/sizes/encoder-process.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const REQUEST = { file: 'a.jpg', sizes: [], folder: '.' };

const startWith = (script: string): EncoderProcess => {
  const file = join(temporaryFolder(), 'worker.mjs');
  writeFileSync(file, script);
  const encoder = createEncoderProcess(file, 0);
  onTestFinished(encoder.close);
  return encoder;
};

const ENDS_AFTER_ONE = `process.on('message', () => {
  const encoded = { hash: String(process.pid), made: {}, faults: {} };
  process.send({ encoded }, () => process.exit());
});
process.send({ isReady: true });`;

test('a picture after one whose process ended has a process of its own', async () => {
  const { encode } = startWith(ENDS_AFTER_ONE);
  const encodePid = async (): Promise<number> => {
    const said = await encode(REQUEST);
    return 'encoded' in said ? Number(said.encoded.hash) : 0;
  };
  const first = await encodePid();
  await eventually(() => expect(() => process.kill(first, 0)).toThrow());
  const second = await encodePid();
  expect(second).toBeGreaterThan(0);
  expect(second).not.toBe(first);
});

test('a process that never answers is ended', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const asked = join(temporaryFolder(), 'asked');
  const { encode } = startWith(`import { writeFileSync } from 'node:fs';
    process.on('message', () => writeFileSync(${JSON.stringify(asked)}, String(process.pid)));
    process.send({ isReady: true });`);
  const said = encode(REQUEST);
  const pid = await eventually(() => {
    const text = readFileSync(asked, 'utf8');
    expect(text).not.toBe('');
    return Number(text);
  });
  vi.advanceTimersByTime(10 * 60_000);
  expect(await said).toEqual({ ended: 'it took too long' });
  expect(() => process.kill(pid, 0)).toThrow();
});

test.each([
  ['', 'it ended at once'],
  [`throw new Error('no memory')`, 'it ended at once'],
  [
    `process.send({ failed: { message: 'no libvips\\nHelp', own: null, cause: null } })`,
    'no libvips',
  ],
])('a process that cannot start says so: %s', async (script, unusable) => {
  const { encode } = startWith(script);
  expect(await encode(REQUEST)).toEqual({ unusable });
  expect(await encode(REQUEST)).toEqual({ unusable });
});

test('one that cannot start is ended without a signal, which would go to the group of the program', async () => {
  const kill = vi.spyOn(ChildProcess.prototype, 'kill').mockReturnValue(false);
  const path = vi.spyOn(process, 'execPath', 'get').mockReturnValue('/absent');
  onTestFinished(() => {
    kill.mockRestore();
    path.mockRestore();
  });
  const { encode, close } = createEncoderProcess('absent.mjs', 0);
  const said = encode(REQUEST);
  await close();
  expect(await said).toEqual({ unusable: 'spawn /absent ENOENT' });
  expect(kill).not.toHaveBeenCalled();
});
