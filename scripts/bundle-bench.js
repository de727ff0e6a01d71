// Bundles the bench and the programs that it starts: `npm run bench`.
import { join } from 'node:path';
import { build } from 'esbuild';
import { BUNDLE_OPTIONS } from './bundle.js';

const ROOT = join(import.meta.dirname, '..');
const OUT = join(ROOT, 'node_modules/.cache/prepress-bench');

/** What publishes in a process of the bench. */
const CYCLES = {
  cycles: join(ROOT, 'bench/cycles.ts'),
  'render-worker': join(ROOT, 'src/publish/build/render/render-worker.ts'),
  'file-worker': join(ROOT, 'src/publish/output/file-worker.ts'),
};

/** Records get no files of their own. @type {import('esbuild').Plugin} */
const NO_RECORD_FILES = {
  name: 'no-record-files',
  setup: (bundling) =>
    bundling.onResolve({ filter: /\/record-file-writer\.ts$/ }, () => ({
      path: join(ROOT, 'bench/no-record-files.ts'),
    })),
};

await build({
  ...BUNDLE_OPTIONS,
  entryPoints: {
    main: join(ROOT, 'bench/main.ts'),
    ...CYCLES,
    'import-run': join(ROOT, 'bench/import-run.ts'),
    'site-functions': join(ROOT, 'bench/site-functions.ts'),
    readers: join(ROOT, 'bench/readers.ts'),
    writer: join(ROOT, 'bench/writer.ts'),
    naive: join(ROOT, 'bench/naive.ts'),
  },
  outdir: OUT,
});

await build({
  ...BUNDLE_OPTIONS,
  entryPoints: CYCLES,
  plugins: [NO_RECORD_FILES],
  outdir: join(OUT, 'packed'),
});
