// Words that occur nowhere else: planted in a database, and looked for in every byte that comes out.
// A secret must not be found at all; a shown mark must be, or the search would prove nothing.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

type Kind = 'secret' | 'shown';

export type Marks = {
  readonly secret: (label: string) => string;
  readonly shown: (label: string) => string;
  /** Takes a secret that the program made itself: a key, a token. */
  readonly know: (label: string, text: string) => void;
  /** Labels of all marks of a kind. */
  readonly labels: (kind: Kind) => string[];
  /** Labels of the marks in a text, in whatever case they stand there. */
  readonly find: (kind: Kind, text: string) => string[];
  /** The same in the name and the bytes of every file of a folder. */
  readonly findIn: (kind: Kind, folder: string) => string[];
};

// The beginning is enough to know a mark by, so that one that was cut off is found too.
const PREFIXES: Readonly<Record<Kind, string>> = { secret: 'zqsk', shown: 'zqpk' };

export const createMarks = (): Marks => {
  const planted: Record<Kind, Map<string, string>> = { secret: new Map(), shown: new Map() };
  const known = new Map<string, string>();
  const plant =
    (kind: Kind) =>
    (label: string): string => {
      const start = `${PREFIXES[kind]}${String(planted[kind].size).padStart(4, '0')}`;
      planted[kind].set(start, label);
      return `${start}qz`;
    };
  const find: Marks['find'] = (kind, text) => {
    const lower = text.toLowerCase();
    const starts = lower.match(new RegExp(`${PREFIXES[kind]}\\d{4}`, 'g')) ?? [];
    const found = starts.map((start) => planted[kind].get(start) ?? start);
    if (kind === 'shown') return [...new Set(found)];
    const own = [...known].filter(([, secret]) => text.includes(secret)).map(([label]) => label);
    return [...new Set([...found, ...own])];
  };
  return {
    secret: plant('secret'),
    shown: plant('shown'),
    know: (label, text) => known.set(label, text),
    labels: (kind) => [...planted[kind].values(), ...(kind === 'secret' ? known.keys() : [])],
    find,
    findIn: (kind, folder) => [
      ...new Set(filesOf(folder).flatMap(({ name, bytes }) => find(kind, `${name}\n${bytes}`))),
    ],
  };
};

/** Every file, hidden ones too; bytes as Latin-1, so that none is lost. */
const filesOf = (folder: string): { readonly name: string; readonly bytes: string }[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return { name: path.slice(folder.length), bytes: readFileSync(path, 'latin1') };
    });
