// Watches of `npm run sabotage`, which itself sabotages the sources. What a sabotaged program never does is not waited for as
// long as what one that works may take; it proves nothing anyhow.
import { defineConfig, mergeConfig } from 'vitest/config';
import base from './vitest.base.config.ts';

export default mergeConfig(
  base,
  defineConfig({
    test: {
      include: ['test/**/*.test.ts'],
      globalSetup: ['test/global-setup.ts'],
      maxWorkers: 1,
      testTimeout: 120_000,
      hookTimeout: 120_000,
      retry: 0,
      bail: 1,
      env: { PREPRESS_TEST_WAIT_MS: '30000', PREPRESS_SEED: process.env.PREPRESS_SEED ?? '1' },
    },
  }),
);
