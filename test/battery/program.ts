// The product bundled for a test: the command line or another entry, as it is, with edits of its own, or with
// those that `npm run sabotage` asks for.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { onTestFinished } from 'vitest';
import { BUNDLE_OPTIONS } from '../../scripts/bundle.js';
import { findAskedEdits, sabotagePlugin } from '../sabotage/apply-edits.ts';
import type { Edit } from '../sabotage/row.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Inside node_modules, so that the bundle finds the packages. */
const CACHE = join(ROOT, 'node_modules/.cache/prepress-tests');

/** The entries that the command line looks for beside itself. */
const WORKERS = {
  'build-worker': join(ROOT, 'src/builder/build-worker.ts'),
  'render-worker': join(ROOT, 'src/builder/render-worker.ts'),
  'emit-worker': join(ROOT, 'src/emit/emit-worker.ts'),
  'read-worker': join(ROOT, 'src/store/sqlite/read-worker.ts'),
  'post-call-worker': join(ROOT, 'src/server/post-calls/post-call-worker.ts'),
};

export { COMMAND } from '../helpers/run-prepress.ts';

/** Bundles an entry; the bundle lives as long as the test. */
export const bundleProgram = async (
  entry: string,
  sabotages: readonly Edit[] = [],
): Promise<string> => {
  const { program, remove } = await bundle(entry, sabotages);
  onTestFinished(remove);
  return program;
};

/** The command line, sabotaged. */
export const bundleSabotaged = (...sabotages: Edit[]): Promise<string> =>
  bundleProgram('src/cli/prepress.ts', sabotages);

/** Pages for people come after the content and are Eleventy's work, which takes longer than all else. */
const NO_PAGES: Edit = {
  file: 'src/eleventy/render-pages.ts',
  replace: 'const loaded = await loadIfAsked(config, projectFile);',
  by: 'if (started > 0) return { ...NOTHING, isRendered: false, milliseconds: 0 };\nconst loaded = await loadIfAsked(config, projectFile);',
};

export type QuickProgram = { readonly program: string; readonly remove: () => void };

/** The command line for tests that start it hundreds of times: without pages for people. */
export const bundleQuick = (...sabotages: Edit[]): Promise<QuickProgram> =>
  bundle('src/cli/prepress.ts', [NO_PAGES, ...sabotages]);

/** The same for one test, sabotaged. */
export const bundleQuickSabotaged = async (...sabotages: Edit[]): Promise<string> => {
  const { program, remove } = await bundleQuick(...sabotages);
  onTestFinished(remove);
  return program;
};

const bundle = async (entry: string, sabotages: readonly Edit[]): Promise<QuickProgram> => {
  await mkdir(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'program-'));
  // Tests run it as another user too.
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const met = new Set<string>();
  await build({
    ...BUNDLE_OPTIONS,
    entryPoints: { program: join(ROOT, entry), ...WORKERS },
    outdir: folder,
    logLevel: 'silent',
    plugins: [
      sabotagePlugin(ROOT, [...sabotages, ...findAskedEdits()], ({ replace }) => met.add(replace)),
    ],
  });
  const missed = sabotages.find(({ replace }) => !met.has(replace));
  if (missed !== undefined) throw new Error(`Not bundled: ${missed.file}`);
  return {
    program: join(folder, 'program.js'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};
