// Sidecars are made, kept, replaced and removed with the files that they are of.
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Durability } from '../../../../src/base/files/durability.ts';
import type { Encoding } from '../../../../src/content/paths/sidecars.ts';
import { openSession } from '../../../../src/publish/output/session/open-session.ts';
import { createRecordFileWriter } from '../../../../src/publish/output/session/record-file-writer.ts';
import type { Session, SessionReport } from '../../../../src/publish/output/session/session.ts';
import { expectSidecars, namesIn, unpack } from '../../../helpers/sidecars.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';
import { NO_SYNC, readStatKeys } from '../../../helpers/tree.ts';

const BOTH: readonly Encoding[] = ['br', 'gzip'];
const NAMES = ['posts/1/index.json', 'posts/slug/a/index.json'];
const LIST = 'posts/index.json';
/** Over what is read into memory at once. */
const LONG = JSON.stringify(Array.from({ length: 200_000 }, (_, at) => `entry ${at}`));

type Round = {
  readonly leaf?: string;
  readonly list?: string;
  readonly remove?: readonly string[];
  readonly compare?: boolean;
  readonly encodings?: readonly Encoding[];
  readonly durability?: Durability;
};

const round = async (root: string, given: Round): Promise<SessionReport> => {
  const { compare = false, encodings = BOTH, durability = NO_SYNC } = given;
  const session = openSession({ root, compare, encodings, durability });
  const writer = createRecordFileWriter(session.leaves, 'm');
  if (given.leaf !== undefined)
    writer.put(NAMES.map(dirname), 'index.json', Buffer.from(given.leaf));
  session.addRecordFiles(writer.take());
  if (given.list !== undefined) await putList(session, given.list);
  for (const name of given.remove ?? []) session.remove(name);
  return session.place();
};

const putList = async (session: Session, text: string): Promise<void> => {
  for (const name of [LIST, '404.json']) {
    session.putFile(name, await session.writeFile([Buffer.from(text)]));
  }
};

test('a new tree has a sidecar of each encoding beside each document in a folder', async () => {
  const root = temporaryFolder();
  expect(await round(root, { leaf: 'one', list: LONG })).toMatchObject({ written: 10 });
  expectSidecars(root, ['.br', '.gz']);
  expect(namesIn(root)).toHaveLength(10);
  const [first, second] = NAMES.map((name) => statSync(join(root, `${name}.gz`)).ino);
  expect(first).toBe(second);
});

test('comparing keeps those that hold the same bytes, however they were packed', async () => {
  const root = temporaryFolder();
  await round(root, { leaf: 'one', list: LONG });
  writeFileSync(join(root, `${NAMES[0]}.gz`), gzipSync('one', { level: 1 }));
  writeFileSync(join(root, `${LIST}.gz`), gzipSync(LONG, { level: 1 }));
  const statKeys = readStatKeys(root);
  const again = await round(root, { leaf: 'one', list: LONG, compare: true });
  expect(again).toMatchObject({ written: 0, removed: 0 });
  expect(readStatKeys(root)).toEqual(statKeys);
});

const HARMS: readonly (readonly [string, (path: string) => void])[] = [
  ['is gone', (path) => rmSync(path)],
  ['is cut short', (path) => writeFileSync(path, readFileSync(path).subarray(0, -5))],
  ['is of other bytes', (path) => writeFileSync(path, gzipSync('two'))],
  ['is of more bytes', (path) => writeFileSync(path, gzipSync(`${LONG} and more`))],
  ['is nothing that was packed', (path) => writeFileSync(path, 'x')],
  [
    'is a link',
    (path) => {
      rmSync(path);
      symlinkSync(join(path, '../../elsewhere'), path);
    },
  ],
];

test.each(HARMS)('comparing makes one anew that %s, and leaves the others', async (_, harm) => {
  const root = temporaryFolder();
  await round(root, { leaf: 'one', list: LONG });
  for (const name of [NAMES[1], LIST]) harm(join(root, `${name}.gz`));
  const healed = await round(root, { leaf: 'one', list: LONG, compare: true });
  expect([...(healed.names?.written ?? [])].sort()).toEqual(
    [...NAMES, LIST].map((name) => `${name}.gz`).sort(),
  );
  expectSidecars(root, ['.br', '.gz']);
});

test('a removed file takes along the sidecars that stand beside it, whatever the setting is', async () => {
  const root = temporaryFolder();
  await round(root, { leaf: 'one', list: '[]' });
  const report = await round(root, { remove: NAMES, encodings: [] });
  expect(report.removed).toBe(6);
  expect(report.names?.removed).toContain(`${NAMES[0]}.br`);
  expect(existsSync(join(root, 'posts/1'))).toBe(false);
});

test('a sidecar is gone before its file is', async () => {
  const root = temporaryFolder();
  await round(root, { leaf: 'one', list: '[]' });
  const [name = ''] = NAMES;
  // What holds something cannot be unlinked: the removal breaks off there.
  rmSync(join(root, name));
  mkdirSync(join(root, name, 'of somebody'), { recursive: true });
  await expect(round(root, { remove: [name] })).rejects.toThrow();
  expect(existsSync(join(root, `${name}.gz`))).toBe(false);
});

test('sidecars of leaves are durable in place before lists, theirs with the lists', async () => {
  const root = temporaryFolder();
  await round(root, { leaf: 'one', list: '[1]' });
  const seen: string[] = [];
  const look = async (): Promise<void> => {
    const [leaf, list] = [NAMES[0], LIST].map((name) =>
      unpack(readFileSync(join(root, `${name}.gz`)), '.gz').toString(),
    );
    seen.push(`${leaf} ${list}`);
  };
  const durability = { syncPaths: look, syncTree: look };
  await round(root, { leaf: 'two', list: '[2]', durability });
  expect(seen).toEqual(['one [1]', 'two [1]', 'two [2]', 'two [2]']);
});
