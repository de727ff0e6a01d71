// The client as the package has it: one minified file and its types, put where a test may import them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { CLIENT_OPTIONS } from '../../scripts/bundle.js';
import { clientTypes } from '../../scripts/client-types.js';
import type { OpenContent } from '../../src/content/client/types.ts';

export type ClientBundle = { readonly text: string; readonly openContent: OpenContent };

/** Writes `client.js` and `client.d.ts` into a folder. */
export const bundleClient = async (folder: string): Promise<ClientBundle> => {
  const result = await build({ ...CLIENT_OPTIONS, outdir: folder, write: false } as object);
  const text = (result as { outputFiles: { text: string }[] }).outputFiles[0]?.text ?? '';
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'client.js');
  writeFileSync(file, text);
  writeFileSync(join(folder, 'client.d.ts'), await clientTypes());
  const { openContent } = (await import(pathToFileURL(file).href)) as ClientBundle;
  return { text, openContent };
};
