// The desk as a sabotage of its sources would have it: the browser gets those files instead of the bundled ones.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import type { BrowserContext } from 'playwright-core';
import { DESK_OPTIONS } from '../../scripts/bundle.js';

type Sabotage = { readonly file: string; readonly replace: string; readonly by: string };

const ROOT = join(import.meta.dirname, '../..');

/** What PREPRESS_TEST_SABOTAGE asks of src/desk/; null where it asks nothing of it. */
const findSabotage = (): Sabotage | null => {
  const text = process.env.PREPRESS_TEST_SABOTAGE;
  const sabotage = text === undefined ? null : (JSON.parse(text) as Sabotage);
  return sabotage?.file.startsWith('src/desk/') ? sabotage : null;
};

export const routeSabotage = async (context: BrowserContext): Promise<void> => {
  const sabotage = findSabotage();
  if (sabotage === null) return;
  const { outputFiles } = await build({
    ...(DESK_OPTIONS as BuildOptions),
    outdir: '/desk',
    write: false as const,
    plugins: [
      {
        name: 'sabotage',
        setup: ({ onLoad }) => {
          onLoad({ filter: /\.tsx?$/ }, ({ path }) =>
            path === join(ROOT, sabotage.file) ? sabotaged(path, sabotage) : undefined,
          );
        },
      },
    ],
  });
  await context.route(/\/desk\/[^/?]+\.(?:js|css)$/, (route) => {
    const name = basename(new URL(route.request().url()).pathname);
    const file = outputFiles.find(({ path }) => basename(path) === name);
    const contentType = name.endsWith('.css') ? 'text/css' : 'text/javascript';
    return file === undefined
      ? route.continue()
      : route.fulfill({ body: Buffer.from(file.contents), contentType });
  });
};

const sabotaged = (path: string, { file, replace, by }: Sabotage) => {
  const parts = readFileSync(path, 'utf8').split(replace);
  if (parts.length !== 2) throw new Error(`Not once: ${replace}`);
  // Read by the test that started this: the sabotaged file was loaded.
  console.error(`sabotaged ${file}`);
  return { contents: parts.join(by), loader: path.endsWith('x') ? 'tsx' : 'ts' } as const;
};
