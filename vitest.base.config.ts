// What all runs of tests have in common.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [
    {
      // The bundle reads these as text (esbuild's loader); the tests do the same.
      name: 'text-files',
      transform: (code: string, id: string) =>
        /\.(?:sql|svg)$/.test(id) ? `export default ${JSON.stringify(code)};` : null,
    },
  ],
  test: {
    // They end tests that hang; no test fails by them because a machine is slow.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    pool: 'forks',
    setupFiles: ['test/setup.ts'],
    teardownTimeout: 60_000,
    // Most of the time goes by waiting for processes, so more files than cores fit.
    maxWorkers: 3,
  },
});
