// What goes into workers and web pages stays small: the executor, alone and with the store and the addresses of hosts.
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const ROOT = new URL('../../../../', import.meta.url).pathname;

const bundled = async (files: readonly string[]): Promise<Uint8Array> => {
  const contents = files.map((file) => `export * from './src/content/${file}';`).join('\n');
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: ROOT },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    logLevel: 'silent',
  });
  return outputFiles[0]?.contents ?? new Uint8Array(0);
};

test.each([
  ['the executor', ['queries/answer.ts'], 21_800, 9_300],
  [
    'with addresses and a store',
    ['queries/answer-address.ts', 'tree/tree-store.ts'],
    24_100,
    10_250,
  ],
] as const)('%s', async (_what, files, bytesMax, gzippedBytesMax) => {
  const text = await bundled(files);
  expect(text.length).toBeLessThan(bytesMax);
  expect(gzipSync(text, { level: 9 }).length).toBeLessThan(gzippedBytesMax);
  expect(text.length).toBeGreaterThan(bytesMax / 2);
});
