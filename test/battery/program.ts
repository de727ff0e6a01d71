// The product bundled for a test: the command line or another entry, as it is or sabotaged. A sabotage
// replaces one text of one source file while bundling, so that the product itself has no switch for it;
// a text that is not there exactly once fails the test.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { onTestFinished } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
/** Inside node_modules, so that the bundle finds the packages. */
const CACHE = join(ROOT, 'node_modules/.cache/prepress-tests');

/** The entry that the command line looks for beside itself. */
const RENDER_WORKER = 'src/build/render-worker.ts';

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
  await mkdir(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'program-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  await build({
    entryPoints: { program: join(ROOT, entry), 'render-worker': join(ROOT, RENDER_WORKER) },
    outdir: folder,
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    packages: 'external',
    loader: { '.sql': 'text' },
    logLevel: 'silent',
    plugins: [sabotage(sabotages)],
  });
  return join(folder, 'program.js');
};

/** The command line, sabotaged. */
export const bundleSabotaged = (...sabotages: Sabotage[]): Promise<string> =>
  bundleProgram('src/cli/main.ts', sabotages);

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
