// The project's own source files, for the tests that look at them as text.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..');

export type SourceFile = { readonly path: string; readonly text: string };

export const readSources = (folder: string): SourceFile[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:tsx?|sql)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: path.slice(ROOT.length + 1), text: readFileSync(path, 'utf8') }));

export const readText = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** What a file imports, statically or lazily. */
export const importsOf = ({ text }: SourceFile): string[] =>
  [
    ...text.matchAll(
      /(?:^import|^export|^\} )[^'"\n]*?from '([^']+)'|^import '([^']+)'|import\('([^']+)'\)/gm,
    ),
  ].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
