// What each build changed, kept for targets that were brought to an earlier one. An entry names the one before it, so a gap,
// or a number of another history, is noticed. Whoever writes holds the lock of builds.
import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { readJsonFile } from '../../base/files/read-json.ts';
import { writeWholeBeside } from '../../base/files/write-whole.ts';
import type { Changes } from './changes.ts';

const schema = z.object({
  generation: z.int(),
  id: z.string(),
  /** Id of the entry before; null: not known. */
  before: z.string().nullable(),
  /** Relative to the output; null: everything. */
  paths: z.array(z.string()).nullable(),
});

export type JournalEntry = z.infer<typeof schema>;

const ENTRIES_MAX = 200;
/** A wider change is compared as a whole. */
const PATHS_MAX = 20_000;

export type Journal = {
  readonly newest: () => JournalEntry | null;
  /** Adds what a build changed; an entry of that build stands if the build changed nothing more. */
  readonly add: (changes: Changes, hasChanged: boolean) => Promise<void>;
  /** The entry of the newest build, made where its program ended before it could write it. */
  readonly head: (generation: number) => Promise<JournalEntry>;
  /** The paths that changed since the entry of that id; null when that is not known. */
  readonly since: (id: string, generation: number) => readonly string[] | null;
  /** Without targets nothing is kept, so that nothing old is believed later. */
  readonly clear: () => void;
};

const FILE = /^journal-(\d{1,15})\.json$/;

export const openJournal = (folder: string): Journal => {
  const fileOf = (generation: number): string => join(folder, `journal-${generation}.json`);
  const read = (generation: number): JournalEntry | null => {
    const entry = readJsonFile(schema, fileOf(generation));
    return entry?.generation === generation ? entry : null;
  };
  const write = async (
    generation: number,
    paths: readonly string[] | null,
  ): Promise<JournalEntry> => {
    const before = read(generation - 1)?.id ?? null;
    const id = randomBytes(12).toString('hex');
    const entry = { generation, id, before, paths: paths === null ? null : [...paths] };
    await writeWholeBeside(fileOf(generation), JSON.stringify(entry));
    // Later ones are of a history that was given up.
    for (const one of list(folder)) {
      if (one <= generation - ENTRIES_MAX || one > generation) rmSync(fileOf(one), { force: true });
    }
    return entry;
  };
  return {
    newest: () => read(Math.max(...list(folder), 0)),
    add: async (changes, hasChanged) => {
      const { generation } = changes;
      if (!hasChanged && read(generation) !== null) return;
      const paths = [...changes.added, ...changes.changed, ...changes.removed];
      const isKnown = !changes.all && paths.length <= PATHS_MAX;
      await write(generation, isKnown ? paths : null);
    },
    head: async (generation) => read(generation) ?? write(generation, null),
    since: (id, generation) => {
      const paths = new Set<string>();
      let wanted: JournalEntry | null = read(generation);
      while (wanted !== null && wanted.id !== id) {
        if (wanted.paths === null || wanted.before === null) return null;
        for (const path of wanted.paths) paths.add(path);
        const earlier = read(wanted.generation - 1);
        wanted = earlier?.id === wanted.before ? earlier : null;
      }
      return wanted === null ? null : [...paths];
    },
    clear: () => {
      for (const one of list(folder)) rmSync(fileOf(one), { force: true });
    },
  };
};

/** Generations that have an entry. */
const list = (folder: string): number[] => {
  try {
    return readdirSync(folder).flatMap((name) => {
      const [, generation] = FILE.exec(name) ?? [];
      return generation === undefined ? [] : [Number(generation)];
    });
  } catch {
    return [];
  }
};
