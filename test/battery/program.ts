// The product bundled for a test: the command line or another entry, as it is or sabotaged. A sabotage
// replaces one text of one source file while bundling, so that the product itself has no switch for it;
// a text that is not there exactly once fails the test.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { onTestFinished } from 'vitest';
import { BUNDLE_OPTIONS } from '../../scripts/bundle.js';

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
): Promise<string> => {
  const { program, remove } = await bundle(entry, sabotages);
  onTestFinished(remove);
  return program;
};

/** The command line, sabotaged. */
export const bundleSabotaged = (...sabotages: Sabotage[]): Promise<string> =>
  bundleProgram('src/cli/prepress.ts', sabotages);

/** Pages for people come after the content and are Eleventy's work, which takes longer than all else. */
const NO_PAGES: Sabotage = {
  file: 'src/eleventy/render-pages.ts',
  replace: 'const loaded = await loadIfAsked(config, projectFile);',
  by: 'if (started > 0) return { ...NOTHING, isRendered: false, milliseconds: 0 };\nconst loaded = await loadIfAsked(config, projectFile);',
};

export type QuickProgram = { readonly program: string; readonly remove: () => void };

/** The command line for tests that start it hundreds of times: without pages for people. */
export const bundleQuick = (...sabotages: Sabotage[]): Promise<QuickProgram> =>
  bundle('src/cli/prepress.ts', [NO_PAGES, ...sabotages]);

/** The same for one test, sabotaged. */
export const bundleQuickSabotaged = async (...sabotages: Sabotage[]): Promise<string> => {
  const { program, remove } = await bundleQuick(...sabotages);
  onTestFinished(remove);
  return program;
};

const bundle = async (entry: string, sabotages: readonly Sabotage[]): Promise<QuickProgram> => {
  await mkdir(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'program-'));
  // Tests run it as another user too.
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  await build({
    ...BUNDLE_OPTIONS,
    entryPoints: { program: join(ROOT, entry), ...WORKERS },
    outdir: folder,
    logLevel: 'silent',
    plugins: [sabotage(sabotages)],
  });
  return {
    program: join(folder, 'program.js'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
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
