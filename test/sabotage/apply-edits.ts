// Sabotages a source as it is read, so that the product itself has no switch for it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import type { Edit } from './row.ts';

/** JSON of the edits for programs that a test bundles; unset where the sources are as they are. */
export const EDITS_VARIABLE = 'PREPRESS_TEST_SABOTAGE';
/** A file in which sabotaged programs name the sabotaged sources that they loaded. */
export const SEEN_VARIABLE = 'PREPRESS_TEST_SABOTAGE_SEEN';

/** The text after the edits of its file. Throws where a text does not stand exactly once. */
export const applyEdits = (text: string, edits: readonly Edit[]): string =>
  edits.reduce((now, { file, replace, by }) => {
    const parts = now.split(replace);
    if (parts.length !== 2) throw new Error(`Not once in ${file}: ${replace}`);
    return parts.join(by);
  }, text);

export const findAskedEdits = (): readonly Edit[] =>
  JSON.parse(process.env[EDITS_VARIABLE] ?? '[]') as Edit[];

/** Sabotages sources while esbuild bundles them; `onMet` gets each edit that was applied. */
export const sabotagePlugin = (
  root: string,
  edits: readonly Edit[],
  onMet: (edit: Edit) => void = () => undefined,
): Plugin => ({
  name: 'sabotage',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
      const here = edits.filter(({ file }) => join(root, file) === path);
      const [first] = here;
      if (first === undefined) return undefined;
      const contents = applyEdits(readFileSync(path, 'utf8'), here);
      for (const edit of here) onMet(edit);
      return {
        contents: `${contents}\n${noteLoaded(first.file)}`,
        loader: path.endsWith('x') ? 'tsx' : 'ts',
      };
    });
  },
});

/** A statement of the sabotaged source: the runner knows by it that the program got so far. */
const noteLoaded = (file: string): string => {
  const seen = process.env[SEEN_VARIABLE];
  if (seen === undefined) return '';
  const given = [seen, `${file}\n`].map((text) => JSON.stringify(text)).join(', ');
  return `try { process.getBuiltinModule('node:fs').appendFileSync(${given}); } catch {}`;
};
