// The long tests: npm run test:battery; PREPRESS_BATTERY=long for all of each. The long form runs one file
// after another, because it measures time.
import { defineConfig, mergeConfig } from 'vitest/config';
import base from './vitest.config.ts';

export default mergeConfig(
  { ...base, test: { ...base.test, include: [], exclude: ['node_modules/**'] } },
  defineConfig({
    test: {
      include: ['test/battery/**/*.test.ts'],
      setupFiles: ['test/battery/setup.ts'],
      testTimeout: 120_000,
      maxConcurrency: 2,
      // What fails once in a while is what is looked for.
      retry: 0,
      // Much of each is waiting for processes and clocks.
      maxWorkers: 3,
      fileParallelism: process.env.PREPRESS_BATTERY !== 'long',
    },
  }),
);
