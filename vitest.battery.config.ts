// The long tests: npm run test:battery. One file after another, because they measure time.
import { defineConfig, mergeConfig } from 'vitest/config';
import base from './vitest.config.ts';

export default mergeConfig(
  { ...base, test: { ...base.test, include: [], exclude: ['node_modules/**'] } },
  defineConfig({
    test: {
      include: ['test/battery/**/*.test.ts'],
      testTimeout: 120_000,
      fileParallelism: false,
    },
  }),
);
