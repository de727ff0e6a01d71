// What test/end-to-end/no-hard-links.test.ts keeps watch over is noticed when it is broken.
import { expect, test } from 'vitest';
import { withoutHardLinks } from '../helpers/hard-links.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { bundleQuickSabotaged, type Sabotage } from './program.ts';
import { runProgram } from './run-program.ts';

/** Exit codes of the first commands. */
const start = async (...sabotages: Sabotage[]): Promise<(number | null)[]> => {
  const program = await bundleQuickSabotaged(...sabotages);
  const folder = temporaryFolder();
  const environment = withoutHardLinks(folder);
  const init = await runProgram({ program, folder, args: ['init'], environment });
  const build = await runProgram({ program, folder, args: ['build'], environment });
  return [init.code, build.code];
};

test('catches: a key that needs a link', async () => {
  expect(await start()).toEqual([0, 0]);
  const [init] = await start({
    file: 'src/store/secrets.ts',
    replace: 'if (!tryLink(draft, path) && !existsSync(path)) renameSync(draft, path);',
    by: 'tryLink(draft, path);',
  });
  expect(init).not.toBe(0);
});

test('catches: second names that need a link', async () => {
  const codes = await start({
    file: 'src/emit/staged-files.ts',
    replace: 'if (tryLink(source, target)) return true;',
    by: 'if (tryLink(source, target)) return true;\n  throw new Error(target);',
  });
  expect(codes[0]).toBe(0);
  expect(codes[1]).not.toBe(0);
});
