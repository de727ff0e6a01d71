import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Durability } from '../../../../src/base/files/durability.ts';
import { openSession } from '../../../../src/publish/output/session/open-session.ts';
import { createRecordFileWriter } from '../../../../src/publish/output/session/record-file-writer.ts';
import type { Session } from '../../../../src/publish/output/session/session.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';
import { NO_SYNC, readStatKeys, readTree } from '../../../helpers/tree.ts';

type Options = { readonly compare?: boolean; readonly durability?: Durability };

type Opened = Session & {
  readonly putLeaf: (names: readonly string[], bytes: Buffer) => void;
};

const open = (root: string, { compare = false, durability = NO_SYNC }: Options = {}): Opened => {
  const session = openSession({
    root,
    compare,
    encodings: [],
    durability,
  });
  const writer = createRecordFileWriter(session.leaves, 'm');
  return {
    ...session,
    putLeaf: (names, bytes) => {
      writer.put(names.map(dirname), 'index.json', bytes);
      session.addRecordFiles(writer.take());
    },
  };
};

const putList = async (session: Session, name: string, text: string): Promise<void> => {
  session.putFile(name, await session.writeFile([Buffer.from(text)]));
};

const NAMES = ['posts/1/index.json', 'posts/slug/a/index.json'];

const writeFirst = async (root: string): Promise<void> => {
  const session = open(root);
  session.putLeaf(NAMES, Buffer.from('one'));
  await putList(session, 'posts/index.json', 'list');
  await session.place();
};

test('an absent tree appears with both names of a record as one file, and nothing staged stays', async () => {
  const root = temporaryFolder();
  await writeFirst(root);
  expect(readTree(root)).toEqual(
    new Map([
      ['posts/1/index.json', 'one'],
      ['posts/index.json', 'list'],
      ['posts/slug/a/index.json', 'one'],
    ]),
  );
  const [first, second] = NAMES.map((name) => statSync(join(root, name)).ino);
  expect(first).toBe(second);
  expect(readdirSync(root)).toEqual(['posts']);
});

test('both names of a replaced file are of one new file', async () => {
  const root = temporaryFolder();
  await writeFirst(root);
  const before = statSync(join(root, NAMES[0] as string)).ino;
  const session = open(root);
  session.putLeaf(NAMES, Buffer.from('two'));
  await session.place();
  const inodes = NAMES.map((name) => statSync(join(root, name)).ino);
  expect(inodes[0]).toBe(inodes[1]);
  expect(inodes[0]).not.toBe(before);
  expect(readFileSync(join(root, NAMES[1] as string), 'utf8')).toBe('two');
});

test('comparing skips what stands with the same bytes, and heals what does not', async () => {
  const root = temporaryFolder();
  await writeFirst(root);
  const statKeys = readStatKeys(root);
  const again = open(root, { compare: true });
  again.putLeaf(NAMES, Buffer.from('one'));
  await putList(again, 'posts/index.json', 'list');
  expect(await again.place()).toMatchObject({ written: 0, removed: 0 });
  expect(readStatKeys(root)).toEqual(statKeys);
  writeFileSync(join(root, 'posts/slug/a/index.json'), 'x');
  const healing = open(root, { compare: true });
  healing.putLeaf(NAMES, Buffer.from('one'));
  await healing.place();
  expect(readTree(root).get('posts/slug/a/index.json')).toBe('one');
});

test('the tree is not touched before it is placed, and not at all when discarded', async () => {
  const root = temporaryFolder();
  await writeFirst(root);
  const session = open(root);
  session.putLeaf(NAMES, Buffer.from('two'));
  session.remove('posts/index.json');
  expect(session.hasTouched()).toBe(false);
  await session.discard();
  expect(readTree(root).get('posts/1/index.json')).toBe('one');
  expect(readdirSync(root)).toEqual(['posts']);
});

test('a removal takes the empty folder along and leaves the files of others', async () => {
  const root = temporaryFolder();
  await writeFirst(root);
  writeFileSync(join(root, 'posts/slug/a/note.txt'), 'mine');
  const session = open(root);
  for (const name of [...NAMES, 'posts/9/absent.json']) session.remove(name);
  expect(await session.place()).toMatchObject({ removed: 2 });
  expect(existsSync(join(root, 'posts/1'))).toBe(false);
  expect(readTree(root)).toEqual(
    new Map([
      ['posts/index.json', 'list'],
      ['posts/slug/a/note.txt', 'mine'],
    ]),
  );
});

test('a removal takes a folder along that a build emptied before it broke off', async () => {
  const root = temporaryFolder();
  await writeFirst(root);
  rmSync(join(root, 'posts/slug/a/index.json'));
  const session = open(root);
  for (const name of NAMES) session.remove(name);
  expect(await session.place()).toMatchObject({ removed: 1 });
  expect(existsSync(join(root, 'posts/slug/a'))).toBe(false);
});

/** Writes down, at each sync, what the tree shows. */
const recorder = (root: string): { readonly seen: string[][]; readonly durability: Durability } => {
  const seen: string[][] = [];
  const look = async (): Promise<void> => {
    seen.push(
      [...readTree(root)].filter(([name]) => name.startsWith('posts')).map(([, text]) => text),
    );
  };
  return {
    seen,
    durability: { syncPaths: look, syncTree: look },
  };
};

test('leaves are durable in place before lists, and lists before removals', async () => {
  const root = temporaryFolder();
  await writeFirst(root);
  const { seen, durability } = recorder(root);
  const session = open(root, { durability });
  session.putLeaf(['posts/2/index.json'], Buffer.from('new'));
  await putList(session, 'posts/index.json', 'list of new');
  for (const name of NAMES) session.remove(name);
  await session.place();
  expect(seen).toEqual([
    ['one', 'list', 'one'],
    ['one', 'new', 'list', 'one'],
    ['one', 'new', 'list of new', 'one'],
    ['new', 'list of new'],
  ]);
});

test('a large list goes to the disk before all is staged', async () => {
  const root = temporaryFolder();
  await writeFirst(root);
  const synced: string[] = [];
  const note = async (_folder: string, paths: ReadonlySet<string>): Promise<void> => {
    synced.push(...[...paths].map((path) => readFileSync(path, 'utf8')));
  };
  const session = open(root, { durability: { syncPaths: note, syncTree: NO_SYNC.syncTree } });
  const large = 'list '.repeat(300_000);
  await putList(session, 'posts/index.json', large);
  await putList(session, 'tags/index.json', 'short');
  expect(synced).toEqual([large]);
  await session.discard();
});

test('what a broken-off session left staged is cleared', async () => {
  const root = temporaryFolder();
  open(root).putLeaf(NAMES, Buffer.from('lost'));
  expect(readdirSync(root)).toEqual(['.prepress-staging']);
  await writeFirst(root);
  expect(readdirSync(root)).toEqual(['posts']);
});

test('a link out of the tree is replaced by a file, never followed', async () => {
  const root = temporaryFolder();
  const outside = temporaryFolder();
  await writeFirst(root);
  writeFileSync(join(outside, 'target'), 'precious');
  mkdirSync(join(root, 'posts/2'));
  symlinkSync(join(outside, 'target'), join(root, 'posts/2/index.json'));
  const session = open(root, { compare: true });
  session.putLeaf(['posts/2/index.json'], Buffer.from('precious'));
  await session.place();
  expect(readFileSync(join(outside, 'target'), 'utf8')).toBe('precious');
  expect(statSync(join(root, 'posts/2/index.json')).ino).not.toBe(
    statSync(join(outside, 'target')).ino,
  );
});
