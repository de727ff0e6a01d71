// Tries the tests on sabotaged sources: `npm run sabotage`. The program is test/sabotage/main.ts; `--table FILE` names
// another table than test/sabotage/rows.ts.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const ROOT = join(import.meta.dirname, '..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    changed: { type: 'boolean', default: false },
    seconds: { type: 'string', default: 'Infinity' },
    table: { type: 'string', default: join(ROOT, 'test/sabotage/rows.ts') },
  },
});

// Inside node_modules, so that the bundle finds the packages.
const cache = join(ROOT, 'node_modules/.cache');
mkdirSync(cache, { recursive: true });
const outdir = mkdtempSync(join(cache, 'prepress-sabotage-'));
process.on('exit', () => rmSync(outdir, { recursive: true, force: true }));
await build({
  entryPoints: { main: join(ROOT, 'test/sabotage/main.ts'), table: resolve(values.table) },
  outdir,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  logLevel: 'warning',
});
const load = (name) => import(pathToFileURL(join(outdir, `${name}.mjs`)).href);
const [{ main }, { ROWS }] = await Promise.all([load('main'), load('table')]);
process.exit(
  await main({
    root: ROOT,
    rows: ROWS,
    isChanged: values.changed,
    named: positionals[0],
    secondsMax: Number(values.seconds),
  }),
);
