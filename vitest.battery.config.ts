// What `npm test` leaves out: the battery, programs that are killed or flooded, real hosts, and other tests that take long
// (*.long.test.ts): npm run test:battery; PREPRESS_BATTERY=long for all of each. The long form runs one file after another,
// because it measures time.
import { defineConfig, mergeConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import base from './vitest.base.config.ts';

// A program that is killed may leave a file in a folder that its test removes just then.
process.env.PREPRESS_TEST_FILES_MAY_STAY = '1';

/** What takes longest begins first, so that nothing goes on alone at the end. */
const LONGEST = ['random-kill', 'syscall-kill', 'disk-faults'];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rest = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean =>
      LONGEST.some((name) => moduleId.includes(name));
    return [...rest.filter(isLong), ...rest.filter((file) => !isLong(file))];
  }
}

export default mergeConfig(
  base,
  defineConfig({
    test: {
      include: ['test/{battery,failure,matrix}/**/*.test.ts', 'test/**/*.long.test.ts'],
      globalSetup: ['test/global-setup.ts'],
      testTimeout: process.env.PREPRESS_BATTERY === 'long' ? 6 * 3_600_000 : 1_800_000,
      maxConcurrency: 2,
      sequence: { sequencer: LongestFirst },
      // What fails once in a while is what is looked for.
      retry: 0,
      // Much of each is waiting for processes and clocks.
      maxWorkers: 3,
      fileParallelism: process.env.PREPRESS_BATTERY !== 'long',
    },
  }),
);
