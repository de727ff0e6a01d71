// Test files on a source that was sabotaged: PREPRESS_TEST_SABOTAGE is JSON of {file, replace, by}. One text
// of one file is replaced as it is loaded, so that the product itself has no switch for it. Of templates, which Eleventy reads
// from the disk, the tests get a sabotaged copy.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig, mergeConfig } from 'vitest/config';
import base from './vitest.base.config.ts';

type Sabotage = { readonly file: string; readonly replace: string; readonly by: string };

const sabotage = JSON.parse(process.env.PREPRESS_TEST_SABOTAGE ?? '') as Sabotage;
const root = import.meta.dirname;
const path = join(root, sabotage.file);

const sabotaged = (code: string): string => {
  const parts = code.split(sabotage.replace);
  if (parts.length !== 2) throw new Error(`Not once: ${sabotage.replace}`);
  // Read by the test that started this: the sabotaged file was loaded.
  console.error(`sabotaged ${sabotage.file}`);
  return parts.join(sabotage.by);
};

/** The templates, one of them sabotaged; removed with this process. */
const copyTemplates = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'prepress-templates-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const copy = join(folder, 'content');
  cpSync(join(root, 'content'), copy, { recursive: true });
  writeFileSync(join(folder, sabotage.file), sabotaged(readFileSync(path, 'utf8')));
  return copy;
};

/** Where the product looks for its templates. */
const TEMPLATES = "join(packageFolder(), 'content')";
const readers = sabotage.file.startsWith('content/')
  ? join(root, 'src/eleventy/render-pages.ts')
  : '';

/** Ends a test that hangs. A browser ends its own waits, and a busy machine takes a while until its page is open. */
const hangMs = sabotage.file.startsWith('src/desk/') ? 180_000 : 20_000;

export default mergeConfig(
  base,
  defineConfig({
    plugins: [
      {
        name: 'sabotage',
        enforce: 'pre',
        transform: (code: string, id: string) => {
          const [file] = id.split('?');
          if (file === path) return sabotaged(code);
          return file === readers ? code.replace(TEMPLATES, JSON.stringify(copyTemplates())) : null;
        },
      },
    ],
    test: {
      globalSetup: ['test/global-setup.ts'],
      maxWorkers: 1,
      testTimeout: hangMs,
      hookTimeout: hangMs,
      retry: 0,
      bail: 1,
      env: { PREPRESS_TEST_WAIT_MS: '15000' },
    },
  }),
);
