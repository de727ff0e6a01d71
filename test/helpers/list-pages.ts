// The pages of docs/, and those of rooms, by their paths in the project.
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

export const listPages = (): string[] =>
  (readdirSync(join(ROOT, 'docs'), { recursive: true }) as string[])
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name));

/** README.md of each room that has one, and of the tests. */
export const listRoomPages = (): string[] =>
  ['src', 'test'].flatMap((folder) =>
    (readdirSync(join(ROOT, folder), { recursive: true }) as string[])
      .filter((name) => basename(name) === 'README.md')
      .map((name) => join(folder, name)),
  );
