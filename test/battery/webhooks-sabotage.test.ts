// The checks of bursts and of reading back, on commands that were sabotaged: each must be noticed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepress } from '../helpers/run-prepress.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import {
  bigImport,
  brokenBuild,
  type Check,
  runBurstChecks,
  unseenChange,
} from './checks/bursts.ts';
import { checkGate } from './checks/read-back.ts';
import { bundleSabotaged, type Sabotage } from './program.ts';

const [empty, sample] = [suiteFolder(), suiteFolder()];
beforeAll(async () => {
  await prepress(empty.path, ['init', '--empty', '--site-url', 'https://site.test']);
  await prepress(sample.path, ['init', '--site-url', 'https://site.test']);
  await prepress(sample.path, ['build']);
});
afterAll(() => {
  empty.remove();
  sample.remove();
});

const announce = 'src/publisher/announce.ts';
const toldRecords = 'src/delivery/told-records.ts';
const readBack = 'src/delivery/read-back.ts';

const BURSTS: readonly (readonly [name: string, check: Check, sabotage: Sabotage])[] = [
  [
    'an import whose rows carry no action',
    bigImport,
    { file: toldRecords, replace: '/^(?:bulk|import):/.test(action)', by: 'false' },
  ],
  [
    'a site.changed for every cycle',
    unseenChange,
    {
      file: announce,
      replace: 'const changedBytes = generation > (published?.generation ?? 0);',
      by: 'const changedBytes = published?.seq !== report.position.seq;',
    },
  ],
  [
    'events that are queued before their build',
    brokenBuild,
    {
      file: announce,
      replace: 'changedBytes: false, now, waitsForBuild: false }',
      by: 'changedBytes: false, now, waitsForBuild: undefined }',
    },
  ],
];

const READING: readonly (readonly [name: string, fault: RegExp, sabotage: Sabotage])[] = [
  [
    'deliveries that are not held',
    /to deeply equal \[\]/,
    { file: announce, replace: '{ heldUntil: now + holdMs }', by: '{}' },
  ],
  [
    'a reading that takes any answer',
    /to deeply equal \[\]/,
    { file: readBack, replace: "wanted.includes(hash.digest('hex'))", by: 'true' },
  ],
  [
    'a reading that waits for bytes which a later generation replaced',
    /delivered: expected/,
    {
      file: readBack,
      replace: 'const wanted = [sha256, expectNow(path)];',
      by: 'const wanted = [sha256]; expectNow(path);',
    },
  ],
];

test.each(BURSTS)('catches: %s', async (_name, check, sabotage) => {
  const program = await bundleSabotaged(sabotage);
  await expect(runBurstChecks(empty.path, program, [check])).rejects.toThrow(/to deeply equal/);
});

test.each(READING)('catches: %s', async (_name, fault, sabotage) => {
  const program = await bundleSabotaged(sabotage);
  await expect(checkGate(sample.path, program)).rejects.toThrow(fault);
});
