// Tries the tests on sabotaged sources: `npm run sabotage`. The program is test/sabotage/main.ts.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const ROOT = join(import.meta.dirname, '..');
const program = join(ROOT, 'node_modules/.cache/prepress-sabotage/main.js');

await build({
  entryPoints: [join(ROOT, 'test/sabotage/main.ts')],
  outfile: program,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  logLevel: 'warning',
});
const { main } = await import(pathToFileURL(program).href);
process.exit(await main(ROOT, process.argv.slice(2)));
