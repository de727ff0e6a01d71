import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [
    {
      // The bundle reads .sql files as text (esbuild's loader); the tests do the same.
      name: 'sql-as-text',
      transform: (code: string, id: string) =>
        id.endsWith('.sql') ? `export default ${JSON.stringify(code)};` : null,
    },
  ],
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/battery/**', 'node_modules/**'],
    // They end tests that hang; no test fails by them because a machine is slow.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    pool: 'forks',
    globalSetup: ['test/global-setup.ts'],
    teardownTimeout: 60_000,
    // Most of the time goes by waiting for processes, so more files than cores fit.
    maxWorkers: 3,
  },
});
