// What test/end-to-end/command-ends.test.ts keeps watch over is noticed when it is broken.
import { expect, test } from 'vitest';
import { findLogs, withSilentChildren } from '../helpers/command-ends.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { bundleQuickSabotaged, type Sabotage } from './program.ts';
import { mustRun, runProgram } from './run-program.ts';
import { createSmallPublication } from './small-publication.ts';

const createBuilt = async (...sabotages: Sabotage[]) => {
  const program = await bundleQuickSabotaged(...sabotages);
  const folder = temporaryFolder();
  await createSmallPublication(program, folder);
  await mustRun({ program, folder, args: ['build'] });
  return { program, folder };
};

test('catches: databases that are left open', async () => {
  const whole = await createBuilt();
  await mustRun({ ...whole, args: ['status'] });
  expect(findLogs(whole.folder)).toEqual([]);
  const open = await createBuilt({
    file: 'src/store/sqlite/publication-connections.ts',
    replace: 'readerConnection.close();\n      connection.close();',
    by: '',
  });
  await mustRun({ ...open, args: ['status'] });
  expect(findLogs(open.folder)).not.toEqual([]);
});

test('catches: a command that was never done and ends well', async () => {
  const end = async (...sabotages: Sabotage[]): Promise<number | null> => {
    const scene = await createBuilt(...sabotages);
    const environment = withSilentChildren(scene.folder);
    return (await runProgram({ ...scene, args: ['deploy', 'exec:cat'], environment })).code;
  };
  expect(await end()).toBe(13);
  expect(await end({ file: 'src/cli/main.ts', replace: '?? UNSETTLED', by: '?? 0' })).toBe(0);
});
