// Staged files on their way between threads, in few pieces: tens of thousands of small objects take as long to copy
// as to rename.
import type { Staged } from './record-file-writer.ts';

export type PackedStaged = {
  /** Texts in one string, with a zero between them. */
  readonly temporaries: string;
  readonly names: string;
  /** 1 for each that is an alias. */
  readonly aliases: Uint8Array;
};

const BETWEEN = '\0';

export const packStaged = (staged: readonly Staged[]): PackedStaged => ({
  temporaries: staged.map(({ temporary }) => temporary).join(BETWEEN),
  names: staged.map(({ name }) => name).join(BETWEEN),
  aliases: Uint8Array.from(staged, ({ isAlias }) => Number(isAlias)),
});

export const unpackStaged = ({ temporaries, names, aliases }: PackedStaged): Staged[] => {
  if (aliases.length === 0) return [];
  const all = names.split(BETWEEN);
  return temporaries.split(BETWEEN).map((temporary, at) => {
    return { temporary, name: all[at] ?? '', isAlias: aliases[at] === 1 };
  });
};
