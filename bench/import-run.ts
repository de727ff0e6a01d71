// Imports a source as the command does, in a process of its own: prints how far it said that it was, and when.
import { importSource } from '../src/publication/import/import-source.ts';
import { openSource } from '../src/publication/sources/open-source.ts';
import { openStore } from '../src/publication/store/open-store.ts';

const [name = '', database = ''] = process.argv.slice(2);
const store = await openStore(database, { create: true });
const source = await openSource(name);
const started = performance.now();
const told: { readonly atMs: number; readonly share: number }[] = [];
try {
  await importSource(store, source, {
    siteUrl: 'https://bench.example',
    onProgress: ({ share }) => told.push({ atMs: performance.now() - started, share }),
  });
} finally {
  await source.close();
  await store.close();
}
const totalMs = performance.now() - started;
/** The farthest that what was told was from the time that had passed, as a share of all. */
const unevenness = Math.max(...told.map(({ atMs, share }) => Math.abs(atMs / totalMs - share)));
console.log(JSON.stringify({ unevenness }));
