// Bundles the bench and the programs that it starts: `npm run bench`.
import { join } from 'node:path';
import { build } from 'esbuild';
import { BUNDLE_OPTIONS } from './bundle.js';

const ROOT = join(import.meta.dirname, '..');

await build({
  ...BUNDLE_OPTIONS,
  entryPoints: {
    main: join(ROOT, 'bench/main.ts'),
    cycles: join(ROOT, 'bench/cycles.ts'),
    'import-run': join(ROOT, 'bench/import-run.ts'),
    readers: join(ROOT, 'bench/readers.ts'),
    writer: join(ROOT, 'bench/writer.ts'),
    naive: join(ROOT, 'bench/naive.ts'),
    'render-worker': join(ROOT, 'src/publish/build/render/render-worker.ts'),
    'delete-worker': join(ROOT, 'src/publish/output/session/delete-worker.ts'),
  },
  outdir: join(ROOT, 'node_modules/.cache/prepress-bench'),
});
