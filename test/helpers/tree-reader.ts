// A stranger who reads the tree while it is written: every file that can be opened is whole, a list names no record whose
// files are not there, and the root of the packed tree leads to no blob that is not.

import { type Dirent, existsSync, readdirSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PACKED_ROOT_FILE } from '../../src/content/tree/names.ts';

import { missingBlobs, readFrom } from './packed-blobs.ts';

export type Fault = { readonly name: string; readonly fault: string };

type Document = Readonly<Record<string, readonly { readonly id: string }[] | undefined>>;

const LIST = /^(authors|tags|pages|posts)\/[a-z0-9-]+\.json$/;

/** Every JSON file of the tree, staged ones left out. */
const listNames = (root: string): string[] =>
  list(root)
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((name) => !name.startsWith('.'));

/** Folders may go while they are listed, the staged ones above all: then what stands is listed again. */
const list = (root: string): Dirent[] => {
  try {
    return readdirSync(root, { recursive: true, withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return existsSync(root) ? list(root) : [];
  }
};

/** Null when there is no such file. */
const findText = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
};

/** Null when it is not whole. */
const parseDocument = (text: string): Document | null => {
  try {
    return JSON.parse(text) as Document;
  } catch {
    return null;
  }
};

/** Ids that a list names though the record has no file. */
const absentIds = (root: string, resource: string, document: Document): string[] =>
  (document[resource] ?? [])
    .map(({ id }) => id)
    .filter((id) => !existsSync(join(root, resource, id, 'index.json')));

const absentFrom = (root: string, name: string, document: Document): string[] => {
  if (name === PACKED_ROOT_FILE) return missingBlobs(readFrom(root));
  const [, resource] = LIST.exec(name) ?? [];
  return resource === undefined ? [] : absentIds(root, resource, document);
};

const checkFile = (root: string, name: string): Fault[] => {
  const text = findText(join(root, name));
  if (text === null) return [];
  const document = parseDocument(text);
  if (document === null) return [{ name, fault: `is not whole: ${text.length} characters` }];
  const absent = absentFrom(root, name, document);
  if (absent.length === 0) return [];
  // A record or a blob may have gone after the list was read; then another list stands, which is asked instead.
  if (findText(join(root, name)) !== text) return checkFile(root, name);
  return [{ name, fault: `names ${absent[0]}, which is not there` }];
};

/** Checks every file; for a tree that nobody writes at the moment. */
export const checkTree = (root: string): Fault[] =>
  listNames(root).flatMap((name) => checkFile(root, name));

export type TreeReader = {
  /** What was wrong so far. */
  readonly faults: readonly Fault[];
  readonly reads: () => number;
  readonly close: () => Promise<void>;
};

type ReaderOptions = {
  readonly random: () => number;
  /** Names that stand before and after every build: they may never be missing. */
  readonly lasting?: readonly string[];
  /** Between two reads. */
  readonly pauseMs?: number;
  /** Whether the list of posts is read whenever a record comes or goes. */
  readonly isWatching?: boolean;
};

const LISTS = [
  ...['posts', 'tags', 'authors', 'pages'].map((resource) => `${resource}/index.json`),
  PACKED_ROOT_FILE,
];

/** Reads one file after another, and the list of posts when one comes or goes, until it is closed. */
export const startReader = (root: string, options: ReaderOptions): TreeReader => {
  const { random, lasting = [], pauseMs = 3, isWatching = true } = options;
  const faults: Fault[] = [];
  let reads = 0;
  let isClosed = false;
  const pick = (names: readonly string[]): string =>
    names[Math.floor(random() * names.length)] ?? '';
  const run = async (): Promise<void> => {
    for (let names = listNames(root); !isClosed; reads += 1) {
      if (reads % 200 === 0) names = listNames(root);
      faults.push(...checkFile(root, pick(random() < 0.05 || names.length === 0 ? LISTS : names)));
      const name = pick(lasting);
      if (name !== '' && !existsSync(join(root, name))) faults.push({ name, fault: 'is missing' });
      await sleep(pauseMs);
    }
  };
  const watcher = isWatching && existsSync(join(root, 'posts')) ? watch(join(root, 'posts')) : null;
  watcher?.on('change', () => faults.push(...checkFile(root, 'posts/index.json')));
  const running = run();
  running.catch(() => undefined);
  return {
    faults,
    reads: () => reads,
    close: () => {
      isClosed = true;
      watcher?.close();
      return running;
    },
  };
};
