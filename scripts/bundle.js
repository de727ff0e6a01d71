// Bundles the program into dist/: `npm run bundle`. Packages are in the bundle, because a start then takes
// half the time; those stay outside that are native, find files beside themselves, or are seldom needed.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { INNER_NAMES } from '../src/queries/inner-names.js';

const ROOT = join(import.meta.dirname, '..');

/** @satisfies {import('esbuild').BuildOptions} */
export const BUNDLE_OPTIONS = {
  bundle: true,
  splitting: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  loader: { '.sql': 'text' },
  external: [
    '@11ty/eleventy',
    '@aws-sdk/*',
    'better-sqlite3',
    'better-sqlite3-node20',
    'esbuild',
    'mysql2',
    'swagger-ui-dist',
  ],
  // Packages in CommonJS ask for Node's modules by `require`.
  banner: {
    js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
  },
  minifyWhitespace: true,
  minifySyntax: true,
  logLevel: 'warning',
};

/** The client, for browsers and Node.js: one file that imports nothing. @satisfies {import('esbuild').BuildOptions} */
export const CLIENT_OPTIONS = {
  entryPoints: { client: join(ROOT, 'src/client/open-content.ts') },
  bundle: true,
  format: 'esm',
  target: 'es2022',
  minify: true,
  mangleProps: INNER_NAMES,
  logLevel: 'warning',
};

/** The desk, for browsers: its editor and other parts that are loaded later are files of their own. */
export const DESK_OPTIONS = {
  entryPoints: {
    desk: join(ROOT, 'src/desk/desk.tsx'),
    docs: join(ROOT, 'src/desk/docs.ts'),
    'docs-style': join(ROOT, 'src/desk/docs.css'),
    preview: join(ROOT, 'src/desk/preview.css'),
  },
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
};

/** The types of the client are declared in one file that imports nothing. */
export const clientTypes = () =>
  `${readFileSync(join(ROOT, 'src/client/types.ts'), 'utf8')}
export declare const openContent: OpenContent;
`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const outdir = join(ROOT, 'dist');
  rmSync(outdir, { recursive: true, force: true });
  await build({
    ...BUNDLE_OPTIONS,
    entryPoints: {
      prepress: join(ROOT, 'src/cli/prepress.ts'),
      eleventy: join(ROOT, 'src/eleventy/plugin.ts'),
      'render-worker': join(ROOT, 'src/build/render-worker.ts'),
      'emit-worker': join(ROOT, 'src/emit/emit-worker.ts'),
      'read-worker': join(ROOT, 'src/store/sqlite/read-worker.ts'),
      'text-worker': join(ROOT, 'src/admin/text-worker.ts'),
      'format-worker': join(ROOT, 'src/formats/format-worker.ts'),
      'page-worker': join(ROOT, 'src/eleventy/page-worker.ts'),
      'member-job-worker': join(ROOT, 'src/server/member-jobs/member-job-worker.ts'),
    },
    outdir,
  });
  await build({ ...CLIENT_OPTIONS, outdir });
  await build({ ...DESK_OPTIONS, outdir: join(outdir, 'desk') });
  writeFileSync(join(outdir, 'client.d.ts'), clientTypes());
}
