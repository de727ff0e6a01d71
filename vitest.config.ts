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
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: 'forks',
    // Most of the time goes by waiting for processes, so two files at once fit on one core too.
    maxWorkers: 2,
  },
});
