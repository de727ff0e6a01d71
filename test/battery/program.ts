// The product bundled for a test: the command line or another entry, as it is or sabotaged. A sabotage
// replaces one text of one source file while bundling, so that the product itself has no switch for it;
// a text that is not there exactly once fails the test.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { onTestFinished } from 'vitest';
import { BUNDLE_OPTIONS } from '../../scripts/bundle.js';

const ROOT = join(import.meta.dirname, '../..');
/** The run's own, inside node_modules, so that a bundle finds the packages; removed with the run. */
const { PREPRESS_TEST_BUNDLES: BUNDLES = join(ROOT, 'node_modules/.cache/prepress-tests') } =
  process.env;

/** The entries that the command line looks for beside itself. */
const WORKERS = {
  'build-worker': join(ROOT, 'src/builder/build-worker.ts'),
  'render-worker': join(ROOT, 'src/builder/render-worker.ts'),
  'emit-worker': join(ROOT, 'src/emit/emit-worker.ts'),
  'read-worker': join(ROOT, 'src/store/sqlite/read-worker.ts'),
  'post-call-worker': join(ROOT, 'src/server/post-calls/post-call-worker.ts'),
};

/** What `npm run bundle` made. */
export const COMMAND = join(ROOT, 'dist/prepress.js');

export type Sabotage = {
  /** Path from the project's root. */
  readonly file: string;
  readonly replace: string;
  readonly by: string;
};

/** Bundles an entry; the bundle lives as long as the test. */
export const bundleProgram = async (
  entry: string,
  sabotages: readonly Sabotage[] = [],
  plugins: readonly Plugin[] = [],
): Promise<string> => {
  const folder = await bundle(entry, [sabotage(sabotages), ...plugins]);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'program.js');
};

/** The command line, sabotaged. */
export const bundleSabotaged = (...sabotages: Sabotage[]): Promise<string> =>
  bundleProgram('src/cli/prepress.ts', sabotages);

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
    const folder = await bundle('src/cli/prepress.ts', [withoutPages]);
    try {
      renameSync(folder, shared);
    } catch {
      // That of another file stands there by now.
      rmSync(folder, { recursive: true });
    }
  }
  return join(shared, 'program.js');
};

/** The same for one test, sabotaged. */
export const bundleQuickSabotaged = (...sabotages: Sabotage[]): Promise<string> =>
  bundleProgram('src/cli/prepress.ts', sabotages, [withoutPages]);

/** Returns the folder of the bundle. */
const bundle = async (entry: string, plugins: Plugin[]): Promise<string> => {
  mkdirSync(BUNDLES, { recursive: true });
  const folder = mkdtempSync(join(BUNDLES, 'program-'));
  // Tests run it as another user too.
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  await build({
    ...BUNDLE_OPTIONS,
    entryPoints: { program: join(ROOT, entry), ...WORKERS },
    outdir: folder,
    logLevel: 'silent',
    plugins,
  });
  return folder;
};

const sabotage = (sabotages: readonly Sabotage[]): Plugin => ({
  name: 'sabotage',
  setup: ({ onLoad, onEnd }) => {
    const met = new Set<string>();
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const here = sabotages.filter(({ file }) => join(ROOT, file) === path);
      if (here.length === 0) return undefined;
      const contents = here.reduce(
        (text, one) => {
          met.add(one.replace);
          const parts = text.split(one.replace);
          if (parts.length !== 2) throw new Error(`Not once in ${one.file}: ${one.replace}`);
          return parts.join(one.by);
        },
        readFileSync(path, 'utf8'),
      );
      return { contents, loader: 'ts' };
    });
    onEnd(() => {
      const missed = sabotages.filter(({ replace }) => !met.has(replace));
      if (missed.length > 0) throw new Error(`Not bundled: ${missed[0]?.file}`);
    });
  },
});
