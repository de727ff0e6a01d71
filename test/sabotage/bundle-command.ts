// The command with a sabotage, in a folder beside which it finds what `dist/prepress.js` does.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { BUNDLE_OPTIONS } from '../../scripts/bundle.js';
import { sabotagePlugin } from './apply-edits.ts';
import type { Edit } from './row.ts';

export type Command = { readonly path: string; readonly remove: () => void };

const findWorkers = (root: string): [string, string][] =>
  readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('-worker.ts'))
    .map((name) => [basename(name, '.ts'), join(root, 'src', name)]);

export const bundleCommand = async (root: string, edits: readonly Edit[]): Promise<Command> => {
  // Inside node_modules, so that the bundle finds the packages.
  const cache = join(root, 'node_modules/.cache/prepress-tests');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'command-'));
  const dist = join(folder, 'dist');
  cpSync(join(root, 'dist'), dist, { recursive: true });
  cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(root, 'content'), join(folder, 'content'));
  await build({
    ...BUNDLE_OPTIONS,
    entryPoints: {
      prepress: join(root, 'src/cli/prepress.ts'),
      ...Object.fromEntries(findWorkers(root)),
    },
    outdir: dist,
    logLevel: 'silent',
    plugins: [sabotagePlugin(root, edits)],
  });
  return {
    path: join(dist, 'prepress.js'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};
