// The product bundled for a test: the command line or another entry, as it is, with edits of its own, or with
// those that `npm run sabotage` asks for.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { onTestFinished } from 'vitest';
import { BUNDLE_OPTIONS } from '../../scripts/bundle.js';
import { findAskedEdits, sabotagePlugin } from '../sabotage/apply-edits.ts';
import type { Edit } from '../sabotage/row.ts';

export { COMMAND } from '../helpers/run-prepress.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The run's own, inside node_modules, so that a bundle finds the packages; removed with the run. */
const { PREPRESS_TEST_BUNDLES: BUNDLES = join(ROOT, 'node_modules/.cache/prepress-tests') } =
  process.env;

/** The entries that the command line looks for beside itself. */
const WORKERS = {
  'build-worker': join(ROOT, 'src/publish/build/build-worker.ts'),
  'render-worker': join(ROOT, 'src/publish/build/render/render-worker.ts'),
  'file-worker': join(ROOT, 'src/publish/output/file-worker.ts'),
  'read-worker': join(ROOT, 'src/publication/store/sqlite/read-worker.ts'),
  'job-worker': join(ROOT, 'src/serve/server/job-worker.ts'),
};

/** Bundles an entry; the bundle lives as long as the test. */
export const bundleProgram = async (
  entry: string,
  edits: readonly Edit[] = [],
  plugins: readonly Plugin[] = [],
): Promise<string> => {
  const folder = await bundle(entry, edits, plugins);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'program.js');
};

/** The command line for tests that start it hundreds of times: without pages for people. */
const withoutPages: Plugin = {
  name: 'without-pages',
  setup: ({ onResolve }) => {
    const path = join(import.meta.dirname, 'no-pages.ts');
    onResolve({ filter: /\/render-pages\.ts$/ }, () => ({ path }));
  },
};

/** One for all files of a run. */
export const quickProgram = async (): Promise<string> => {
  const shared = join(BUNDLES, 'quick');
  if (!existsSync(shared)) {
    const folder = await bundle('src/cli/prepress.ts', [], [withoutPages]);
    try {
      renameSync(folder, shared);
    } catch {
      // That of another file stands there by now.
      rmSync(folder, { recursive: true });
    }
  }
  return join(shared, 'program.js');
};

/** The same for one test, with edits. */
export const bundleQuickEdited = (...edits: Edit[]): Promise<string> =>
  bundleProgram('src/cli/prepress.ts', edits, [withoutPages]);

/** Returns the folder of the bundle. Throws where an edit's text does not stand once, or its file is not bundled. */
const bundle = async (
  entry: string,
  edits: readonly Edit[],
  plugins: readonly Plugin[],
): Promise<string> => {
  mkdirSync(BUNDLES, { recursive: true });
  const folder = mkdtempSync(join(BUNDLES, 'program-'));
  const met = new Set<Edit>();
  const sabotage = sabotagePlugin(ROOT, [...edits, ...findAskedEdits()], (edit) => met.add(edit));
  // Tests run it as another user too.
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  await build({
    ...BUNDLE_OPTIONS,
    entryPoints: { program: join(ROOT, entry), ...WORKERS },
    outdir: folder,
    logLevel: 'silent',
    plugins: [sabotage, ...plugins],
  });
  const missed = edits.find((edit) => !met.has(edit));
  if (missed !== undefined) throw new Error(`Not bundled: ${missed.file}`);
  return folder;
};
