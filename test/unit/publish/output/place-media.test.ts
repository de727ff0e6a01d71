// What the media folder holds stands in the output, and nothing of it is looked at that did not change.
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { emptyReason, readMediaFolder } from '../../../../src/publication/media/media-folder.ts';
import { openMediaIndex } from '../../../../src/publication/media/sqlite-media-index.ts';
import { verifyMedia } from '../../../../src/publish/build/verify/verify-media.ts';
import {
  type MediaReport,
  placeMedia,
} from '../../../../src/publish/output/pictures/place-media.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';
import { NO_SYNC, readTree } from '../../../helpers/tree.ts';

vi.mock('../../../../src/publication/media/media-folder.ts', { spy: true });

const LONG_AGO = new Date('2026-01-01T00:00:00Z');

let media: string;
let contentFolder: string;
let indexFile: string;

beforeEach(() => {
  const folder = temporaryFolder();
  [media, contentFolder, indexFile] = ['media', 'output/content', 'media.db'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
});

const put = (folder: string, path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  rmSync(join(folder, path), { force: true });
  writeFileSync(join(folder, path), text);
};

const place = async (isFull = false): Promise<MediaReport> => {
  const index = openMediaIndex(indexFile);
  try {
    return await placeMedia({ media, contentFolder, index, isFull, durability: NO_SYNC });
  } finally {
    index.close();
  }
};

const expectPlaced = (files: Record<string, string>): void =>
  expect(Object.fromEntries(readTree(contentFolder))).toEqual(files);

test('files come with their times, go when they left, and come back after the output was removed', async () => {
  put(media, 'images/2026/a.png', 'a');
  put(media, 'media/b.mp4', 'b');
  put(media, 'files/c.pdf', 'c');
  put(media, 'images/.hidden', 'h');
  put(media, 'posts/index.json', 'no');
  utimesSync(join(media, 'files/c.pdf'), LONG_AGO, LONG_AGO);
  expect(await place()).toEqual({ placed: 3, removed: 0, skipped: [] });
  const all = { 'files/c.pdf': 'c', 'images/2026/a.png': 'a', 'media/b.mp4': 'b' };
  expectPlaced(all);
  const copy = statSync(join(contentFolder, 'files/c.pdf'));
  expect([copy.mtimeMs, copy.mode & 0o777, copy.nlink]).toEqual([LONG_AGO.getTime(), 0o444, 1]);
  rmSync(dirname(contentFolder), { recursive: true });
  expect(await place()).toMatchObject({ placed: 3 });
  expectPlaced(all);
  rmSync(join(media, 'images/2026'), { recursive: true });
  expect(await place()).toMatchObject({ placed: 0, removed: 1 });
  expectPlaced({ 'files/c.pdf': 'c', 'media/b.mp4': 'b' });
  expect(existsSync(join(contentFolder, 'images/2026'))).toBe(false);
});

test('what differs on either side is placed again, also what was taken out of the output', async () => {
  for (const name of ['a', 'b', 'c']) put(media, `images/${name}.png`, name);
  await place();
  put(media, 'images/a.png', 'another');
  put(contentFolder, 'images/b.png', 'meddled');
  rmSync(join(contentFolder, 'images/c.png'));
  expect(await place()).toMatchObject({ placed: 3 });
  expectPlaced({ 'images/a.png': 'another', 'images/b.png': 'b', 'images/c.png': 'c' });
});

test('names stand in both normal forms of Unicode, and go with their files', async () => {
  const [composed, decomposed] = ['é'.normalize('NFC'), 'é'.normalize('NFD')];
  put(media, `images/${decomposed}/${composed}.png`, 'deep');
  put(media, `images/${composed}.png`, 'one');
  put(media, `images/${decomposed}.png`, 'another');
  expect(await place()).toMatchObject({ placed: 6 });
  expectPlaced({
    [`images/${composed}.png`]: 'one',
    [`images/${composed}/${composed}.png`]: 'deep',
    [`images/${composed}/${decomposed}.png`]: 'deep',
    [`images/${decomposed}.png`]: 'another',
    [`images/${decomposed}/${composed}.png`]: 'deep',
    [`images/${decomposed}/${decomposed}.png`]: 'deep',
  });
  const index = openMediaIndex(indexFile);
  onTestFinished(index.close);
  expect(await verifyMedia({ media, contentFolder, index })).toEqual([]);
  expect(await place()).toMatchObject({ placed: 0, removed: 0 });
  rmSync(join(media, `images/${decomposed}`), { recursive: true });
  rmSync(join(media, `images/${decomposed}.png`));
  await place();
  expectPlaced({ [`images/${composed}.png`]: 'one', [`images/${decomposed}.png`]: 'one' });
});

test('a name whose other form is too long for a file system stands in its own', async () => {
  const long = '각'.repeat(29);
  put(media, `images/${long}.png`, 'file');
  put(media, `images/${long}/a.png`, 'deep');
  expect(await place()).toEqual({ placed: 2, removed: 0, skipped: [] });
  expectPlaced({ [`images/${long}.png`]: 'file', [`images/${long}/a.png`]: 'deep' });
});

test('files of others stay, and so does what somebody made of one of ours', async () => {
  put(contentFolder, 'images/theirs.png', 'theirs');
  put(media, 'images/ours.png', 'ours');
  put(media, 'images/taken.png', 'first');
  put(media, 'images/kept.png', 'kept');
  await place();
  for (const name of ['ours', 'taken']) rmSync(join(media, `images/${name}.png`));
  put(contentFolder, 'images/taken.png', 'replaced by somebody');
  expect(await place()).toMatchObject({ removed: 1 });
  expectPlaced({
    'images/kept.png': 'kept',
    'images/taken.png': 'replaced by somebody',
    'images/theirs.png': 'theirs',
  });
});

/** Lets the folders be as old as they are after a while: their stat keys are kept then. */
const settle = async (): Promise<void> => {
  const later = Date.now() + 60_000;
  const clock = vi.spyOn(Date, 'now').mockReturnValue(later);
  await place();
  clock.mockRestore();
};

test('folders that did not change are not read', async () => {
  for (const name of ['2025/a', '2025/b', '2026/c']) put(media, `images/${name}.png`, name);
  await place();
  await settle();
  const read = vi.mocked(readMediaFolder);
  const readFolders = async (): Promise<string[]> => {
    read.mockClear();
    await place();
    return read.mock.calls.map(([path]) => path);
  };
  expect(await readFolders()).toEqual([]);
  put(media, 'images/2026/d.png', 'd');
  expect(await readFolders()).toEqual([join(media, 'images/2026')]);
  await settle();
  rmSync(join(contentFolder, 'images/2025/b.png'));
  expect(await readFolders()).toEqual([join(media, 'images/2025')]);
  expect(existsSync(join(contentFolder, 'images/2025/b.png'))).toBe(true);
});

test('a folder that changed a moment ago is read again: a second change may have the same time', async () => {
  put(media, 'images/a.png', 'a');
  await place();
  const index = openMediaIndex(indexFile);
  onTestFinished(index.close);
  expect(index.folders().get('images')).toEqual({ source: '', target: '' });
});

test('bytes are compared when everything is asked for', async () => {
  put(media, 'images/a.png', 'right');
  await place();
  const target = join(contentFolder, 'images/a.png');
  const { atime, mtime } = statSync(target);
  rmSync(target);
  writeFileSync(target, 'wrong');
  utimesSync(target, atime, mtime);
  expect(await place()).toMatchObject({ placed: 0 });
  expect(await place(true)).toMatchObject({ placed: 1 });
  expectPlaced({ 'images/a.png': 'right' });
});

test('an index that was lost or damaged is made again from what stands', async () => {
  put(media, 'images/a.png', 'a');
  await place();
  const { ino } = statSync(join(contentFolder, 'images/a.png'));
  rmSync(indexFile);
  expect(await place()).toMatchObject({ placed: 0 });
  writeFileSync(indexFile, 'no database');
  expect(await place()).toMatchObject({ placed: 0 });
  expect(statSync(join(contentFolder, 'images/a.png')).ino).toBe(ino);
  rmSync(join(media, 'images/a.png'));
  put(media, 'images/b.png', 'b');
  expect(await place()).toMatchObject({ placed: 1, removed: 1 });
});

test('an empty media folder removes nothing: its disk may not be mounted', async () => {
  put(media, 'images/a.png', 'a');
  await place();
  renameSync(media, `${media}.away`);
  const reason = emptyReason(media, 1);
  for (const make of [
    () => undefined,
    () => mkdirSync(join(media, 'images'), { recursive: true }),
  ]) {
    make();
    expect(await place()).toEqual({ placed: 0, removed: 0, skipped: [{ path: media, reason }] });
    expectPlaced({ 'images/a.png': 'a' });
  }
  rmSync(media, { recursive: true });
  renameSync(`${media}.away`, media);
  expect(await place()).toMatchObject({ placed: 0, removed: 0, skipped: [] });
});

test('of an empty media folder, only files that stand are counted as kept, and a file beside its folders says that it is meant', async () => {
  for (const name of ['a', 'b']) put(media, `images/${name}.png`, name);
  await place();
  for (const name of ['a', 'b']) rmSync(join(media, `images/${name}.png`));
  rmSync(join(contentFolder, 'images/b.png'));
  const said = emptyReason(media, 1);
  expect(await place(true)).toMatchObject({ removed: 0, skipped: [{ path: media, reason: said }] });
  const index = openMediaIndex(indexFile);
  const verify = () => verifyMedia({ media, contentFolder, index });
  expect(await verify()).toEqual([{ path: '', reason: `the media folder ${media} ${said}` }]);
  const [, meant = ''] = /create the file (\S+) and build again$/.exec(said) ?? [];
  writeFileSync(meant, '');
  const reason = 'the media folder has this file no more';
  expect(await verify()).toEqual([{ path: 'images/a.png', reason }]);
  index.close();
  expect(await place()).toEqual({ placed: 0, removed: 1, skipped: [] });
  expectPlaced({});
});

test('an empty media folder says nothing of files that were removed from the output', async () => {
  put(media, 'images/a.png', 'a');
  await place();
  rmSync(media, { recursive: true });
  rmSync(join(contentFolder, 'images'), { recursive: true });
  expect(await place()).toEqual({ placed: 0, removed: 0, skipped: [] });
  put(media, 'images/a.png', 'a');
  expect(await place()).toEqual({ placed: 1, removed: 0, skipped: [] });
});

test('links in the media folder are not followed, and what was placed from their names stays', async () => {
  const outside = temporaryFolder();
  put(outside, 'secret.txt', 's');
  put(media, 'images/2025/a.png', 'a');
  put(media, 'images/b.png', 'b');
  await place();
  renameSync(join(media, 'images/2025'), join(outside, '2025'));
  symlinkSync(join(outside, '2025'), join(media, 'images/2025'));
  symlinkSync(join(outside, 'secret.txt'), join(media, 'images/c.png'));
  symlinkSync(outside, join(media, 'media'));
  const { placed, removed, skipped } = await place();
  expect([placed, removed]).toEqual([0, 0]);
  expect(skipped.map(({ path }) => path).sort()).toEqual(['images/2025', 'images/c.png', 'media']);
  expectPlaced({ 'images/2025/a.png': 'a', 'images/b.png': 'b' });
});

test('what was placed in both forms stays in both when a link comes in its place', async () => {
  const [composed, decomposed] = ['é'.normalize('NFC'), 'é'.normalize('NFD')];
  const outside = temporaryFolder();
  put(outside, 'deep/secret.png', 's');
  put(media, 'images/a.png', 'a');
  put(media, `images/${composed}/a.png`, 'deep');
  put(media, `images/${composed}.png`, 'file');
  await place();
  const all = Object.fromEntries(readTree(contentFolder));
  expect(Object.keys(all)).toHaveLength(5);
  for (const name of [composed, `${composed}.png`])
    rmSync(join(media, 'images', name), { recursive: true });
  for (const target of ['deep', 'gone']) {
    rmSync(join(media, `images/${composed}`), { force: true });
    symlinkSync(join(outside, target), join(media, `images/${composed}`));
    rmSync(join(media, `images/${composed}.png`), { force: true });
    symlinkSync(join(outside, 'deep/secret.png'), join(media, `images/${composed}.png`));
    expect(await place()).toMatchObject({ placed: 0, removed: 0 });
    await settle();
    // The folder with the links is as it was left.
    expect(await place()).toMatchObject({ placed: 0, removed: 0 });
    expectPlaced(all);
  }
  put(media, `images/${decomposed}/b.png`, 'own');
  expect(await place()).toMatchObject({ placed: 1, removed: 1 });
  expectPlaced({
    ...Object.fromEntries(Object.entries(all).filter(([path]) => !path.includes(`${decomposed}/`))),
    [`images/${decomposed}/b.png`]: 'own',
  });
});

test('links in the output make way, and what they point to stays', async () => {
  const outside = temporaryFolder();
  put(outside, 'a.png', 'theirs');
  mkdirSync(contentFolder, { recursive: true });
  symlinkSync(outside, join(contentFolder, 'images'));
  put(media, 'images/a.png', 'ours');
  put(media, 'files/b.pdf', 'b');
  mkdirSync(join(contentFolder, 'files'));
  symlinkSync(join(outside, 'a.png'), join(contentFolder, 'files/b.pdf'));
  await place();
  expectPlaced({ 'files/b.pdf': 'b', 'images/a.png': 'ours' });
  expect(readFileSync(join(outside, 'a.png'), 'utf8')).toBe('theirs');
  // Even one that looks as it was placed.
  rmSync(outside, { recursive: true });
  renameSync(join(contentFolder, 'images'), outside);
  symlinkSync(outside, join(contentFolder, 'images'));
  rmSync(join(media, 'images/a.png'));
  await place();
  expect(readFileSync(join(outside, 'a.png'), 'utf8')).toBe('ours');
});

test('a folder that stands where a file belongs is said, and the rest is placed', async () => {
  mkdirSync(join(contentFolder, 'images/a.png'), { recursive: true });
  put(media, 'images/a.png', 'a');
  put(media, 'images/b.png', 'b');
  expect(await place()).toMatchObject({
    placed: 1,
    skipped: [{ path: 'images/a.png', reason: expect.stringContaining('a folder of that name') }],
  });
});
