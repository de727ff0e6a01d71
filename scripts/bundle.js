// Bundles the program into dist/: `npm run bundle`. Packages are in the bundle, because a start then takes
// half the time; those stay outside that are native, find files beside themselves, or are seldom needed.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { INNER_NAMES } from '../src/content/queries/inner-names.js';
import { clientTypes } from './client-types.js';
import { licenseTexts } from './licenses.js';

const ROOT = join(import.meta.dirname, '..');

/** @satisfies {import('esbuild').BuildOptions} */
export const BUNDLE_OPTIONS = {
  bundle: true,
  splitting: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  loader: { '.sql': 'text', '.svg': 'text' },
  external: ['@11ty/eleventy', '@aws-sdk/*', 'esbuild', 'mysql2', 'pg', 'sharp'],
  // Packages in CommonJS ask for Node's modules by `require`.
  banner: {
    js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
  },
  minifyWhitespace: true,
  minifySyntax: true,
  logLevel: 'warning',
};

/**
 * Statements begin lines of their own where that costs no byte: Node.js prints the line of an error that nobody catches.
 * @type {import('esbuild').Plugin}
 */
const shortLines = {
  name: 'short-lines',
  setup: ({ onEnd }) => {
    onEnd(({ outputFiles = [] }) => {
      for (const file of outputFiles) {
        file.contents = Buffer.from(file.text.replaceAll(';var ', '\nvar '));
      }
    });
  },
};

/** The client, for browsers and Node.js: one file that imports nothing. @satisfies {import('esbuild').BuildOptions} */
export const CLIENT_OPTIONS = {
  entryPoints: { client: join(ROOT, 'src/content/client/open-content.ts') },
  bundle: true,
  format: 'esm',
  target: 'es2022',
  minify: true,
  mangleProps: INNER_NAMES,
  plugins: [shortLines],
  lineLimit: 1_900,
  logLevel: 'warning',
};

/**
 * The style of Ghost's editor as a text in its chunk. Its admin has a root of 10 px: `rem` in px keeps that size where the
 * page has a root of its own. @type {import('esbuild').Plugin}
 */
const editorStyle = {
  name: 'editor-style',
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^@tryghost\/koenig-lexical\/dist\/style\.css$/ }, ({ path }) => ({
      path: join(ROOT, 'node_modules', path),
    }));
    onLoad({ filter: /koenig-lexical[/\\]dist[/\\]style\.css$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(/\{[^{}]*\}/g, inPixels),
      loader: 'text',
    }));
  },
};

const inPixels = (block) =>
  block.replace(
    /(?<![\w.\\-])(-?\d*\.?\d+)rem\b/g,
    (_, size) => `${Number((Number(size) * 10).toFixed(3))}px`,
  );

/** The desk, for browsers: its editor and other parts that are loaded later are files of their own. */
export const DESK_OPTIONS = {
  entryPoints: {
    desk: join(ROOT, 'src/serve/desk/desk.tsx'),
    docs: join(ROOT, 'src/serve/desk/docs.ts'),
    'docs-style': join(ROOT, 'src/serve/desk/docs.css'),
    preview: join(ROOT, 'src/serve/desk/preview.css'),
  },
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  define: { 'process.env.NODE_ENV': '"production"' },
  plugins: [editorStyle],
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
};

/** What the page at /docs/ loads. */
const SWAGGER_UI = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-standalone-preset.js',
  'favicon-32x32.png',
];

/**
 * Makes a folder hold these files. One that has its bytes is left alone, so a program that runs from the folder, and loads
 * parts of itself later, is not disturbed by another bundling of the same sources, as `npx` in a clone does it.
 * @param {string} folder
 * @param {ReadonlyMap<string, Uint8Array>} files by absolute path
 */
export const placeFiles = (folder, files) => {
  mkdirSync(folder, { recursive: true });
  const old = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
  const known = new Set(old);
  for (const [path, bytes] of files) {
    if (known.has(path) && readFileSync(path).equals(bytes)) continue;
    mkdirSync(dirname(path), { recursive: true });
    const isProgram = bytes[0] === 0x23 && bytes[1] === 0x21;
    writeFileSync(`${path}.new`, bytes, { mode: isProgram ? 0o755 : 0o644 });
    renameSync(`${path}.new`, path);
  }
  for (const path of old) if (!files.has(path)) rmSync(path);
};

/** What is small travels as it is. */
const isLong = ({ contents }) => contents.length > 8000;

/** Copies that the server sends to clients that accept them. The best quality would take half a minute. */
const compressed = ({ path, contents }) => [
  [
    `${path}.br`,
    brotliCompressSync(contents, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 },
    }),
  ],
  [`${path}.gz`, gzipSync(contents, { level: 9 })],
];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const outdir = join(ROOT, 'dist');
  const program = await build({
    ...BUNDLE_OPTIONS,
    metafile: true,
    write: false,
    entryPoints: {
      prepress: join(ROOT, 'src/cli/prepress.ts'),
      eleventy: join(ROOT, 'src/pages/eleventy/plugin.ts'),
      astro: join(ROOT, 'src/pages/astro/loader.ts'),
      'build-worker': join(ROOT, 'src/publish/build/build-worker.ts'),
      'render-worker': join(ROOT, 'src/publish/build/render/render-worker.ts'),
      'file-worker': join(ROOT, 'src/publish/output/file-worker.ts'),
      'read-worker': join(ROOT, 'src/publication/store/sqlite/read-worker.ts'),
      'job-worker': join(ROOT, 'src/serve/server/job-worker.ts'),
      'format-worker': join(ROOT, 'src/serve/editor/format-worker.ts'),
      'page-worker': join(ROOT, 'src/pages/eleventy/page-worker.ts'),
      'size-worker': join(ROOT, 'src/publish/sizes/size-worker.ts'),
    },
    outdir,
  });
  const client = await build({ ...CLIENT_OPTIONS, metafile: true, write: false, outdir });
  const desk = await build({
    ...DESK_OPTIONS,
    metafile: true,
    write: false,
    outdir: join(outdir, 'desk'),
  });
  const parts = [program, client, desk];
  const inputs = parts.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  const texts = licenseTexts([...inputs, 'node_modules/swagger-ui-dist/package.json']);
  const inRoot = (path) => readFileSync(join(ROOT, path));
  placeFiles(
    outdir,
    new Map([
      ...parts.flatMap(({ outputFiles }) =>
        outputFiles.map(({ path, contents }) => [path, contents]),
      ),
      ...desk.outputFiles.filter(isLong).flatMap(compressed),
      [join(outdir, 'client.d.ts'), Buffer.from(await clientTypes())],
      [join(outdir, 'eleventy.d.ts'), inRoot('src/pages/eleventy/plugin-types.ts')],
      [
        join(outdir, 'astro.d.ts'),
        Buffer.from(
          String(inRoot('src/pages/astro/loader-types.ts')).replace(
            '../../content/client/types.ts',
            './client.js',
          ),
        ),
      ],
      ...SWAGGER_UI.map((file) => [
        join(outdir, 'swagger-ui', file),
        inRoot(`node_modules/swagger-ui-dist/${file}`),
      ]),
      [join(outdir, 'THIRD-PARTY-LICENSES.txt'), Buffer.from(texts)],
    ]),
  );
}
