// Test files on a source that was sabotaged: PREPRESS_TEST_SABOTAGE is JSON of {file, replace, by}. One text
// of one file is replaced as it is loaded, so that the product itself has no switch for it.
import { join } from 'node:path';
import { defineConfig, mergeConfig } from 'vitest/config';
import base from './vitest.config.ts';

type Sabotage = { readonly file: string; readonly replace: string; readonly by: string };

const sabotage = JSON.parse(process.env.PREPRESS_TEST_SABOTAGE ?? '') as Sabotage;
const path = join(import.meta.dirname, sabotage.file);

export default mergeConfig(
  base,
  defineConfig({
    plugins: [
      {
        name: 'sabotage',
        enforce: 'pre',
        transform: (code: string, id: string) => {
          if (id.split('?')[0] !== path) return null;
          const parts = code.split(sabotage.replace);
          if (parts.length !== 2) throw new Error(`Not once: ${sabotage.replace}`);
          // Read by the test that started this: the sabotaged file was loaded.
          console.error(`sabotaged ${sabotage.file}`);
          return parts.join(sabotage.by);
        },
      },
    ],
    test: {
      maxWorkers: 1,
      testTimeout: 20_000,
      hookTimeout: 20_000,
      retry: 0,
      bail: 1,
      env: { PREPRESS_TEST_WAIT_MS: '15000' },
    },
  }),
);
