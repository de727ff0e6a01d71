import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { copyImages } from '../../../../src/publication/import/images/images.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const write = (folder: string, files: Readonly<Record<string, string>>): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
};

test('images, media and files are copied, and nothing else', async () => {
  const [from, to] = [temporaryFolder(), temporaryFolder()];
  write(from, {
    'images/2026/01/a.png': 'a',
    'images/.hidden': 'h',
    'media/b.mp4': 'b',
    'files/c.pdf': 'c',
    'posts/index.json': 'no',
    'settings/d.json': 'no',
  });
  expect(await copyImages(from, join(to, 'content'))).toEqual({
    copied: 3,
    unchanged: 0,
    skipped: [],
  });
  expect(readFileSync(join(to, 'content/images/2026/01/a.png'), 'utf8')).toBe('a');
  for (const path of ['posts', 'settings', 'images/.hidden']) {
    expect(existsSync(join(to, 'content', path)), path).toBe(false);
  }
});

test('one of the folders may be named itself', async () => {
  const [from, to] = [temporaryFolder(), temporaryFolder()];
  write(from, { 'media/b.mp4': 'b' });
  await copyImages(join(from, 'media'), to);
  expect(existsSync(join(to, 'media/b.mp4'))).toBe(true);
});

test('nothing is taken from another folder, which may hold what is not for readers', async () => {
  const [from, to] = [temporaryFolder(), temporaryFolder()];
  write(from, {
    'ghost/config.production.json': 'password',
    'ghost/content/data/ghost.db': 'members',
    'ghost/content/images/a.png': 'a',
  });
  const root = realpathSync(join(from, 'ghost'));
  await expect(copyImages(root, to)).rejects.toMatchObject({
    code: 'USAGE',
    message: `${root} holds none of the folders images, media and files. Name the content folder of Ghost: ${join(root, 'content')}.`,
  });
  const data = copyImages(join(root, 'content/data'), to);
  await expect(data).rejects.toThrow(/files\. Name the content folder of Ghost\.$/);
  expect(readdirSync(to)).toEqual([]);
});

test('what is there already is left alone, what differs is copied again', async () => {
  const [from, to] = [temporaryFolder(), temporaryFolder()];
  write(from, { 'images/a.png': 'a', 'images/b.png': 'b' });
  await copyImages(from, to);
  const { ino } = statSync(join(to, 'images/a.png'));
  write(from, { 'images/b.png': 'longer' });
  const told: number[] = [];
  const tell = (counts: { copied: number; unchanged: number }): void =>
    void told.push(counts.copied + counts.unchanged);
  expect(await copyImages(from, to, tell)).toMatchObject({ copied: 1, unchanged: 1 });
  expect(told).toEqual([1, 2]);
  expect(statSync(join(to, 'images/a.png')).ino).toBe(ino);
  expect(readFileSync(join(to, 'images/b.png'), 'utf8')).toBe('longer');
});

test('what an import that was killed left goes with the next', async () => {
  const [from, to] = [temporaryFolder(), temporaryFolder()];
  write(from, { 'images/a.png': 'a' });
  write(to, { 'images/.prepress-import/1': 'half' });
  await copyImages(from, to);
  expect(readdirSync(join(to, 'images'))).toEqual(['a.png']);
});

test('no link is followed, wherever it leads, and each is named', async () => {
  const [from, to, outside] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  write(outside, { 'secret.txt': 's' });
  write(from, { 'images/a/one.png': '1', 'images/b/two.png': '2' });
  const link = (target: string, path: string): void => symlinkSync(target, join(from, path));
  link(join(outside, 'secret.txt'), 'images/secret.png');
  link(outside, 'images/away');
  link(outside, 'media');
  link(join(from, 'images/none'), 'images/nothing.png');
  link(join(from, 'images'), 'images/a/up');
  link(join(from, 'images/b'), 'images/a/beside');
  link(join(from, 'images/a/one.png'), 'images/same.png');
  const { copied, skipped } = await copyImages(from, to);
  expect(copied).toBe(2);
  expect(skipped.map(({ path }) => path).sort()).toEqual([
    'images/a/beside',
    'images/a/up',
    'images/away',
    'images/nothing.png',
    'images/same.png',
    'images/secret.png',
    'media',
  ]);
  expect(new Set(skipped.map(({ reason }) => reason))).toEqual(
    new Set(['is a symbolic link, and links are not followed']),
  );
  expect(readdirSync(to)).toEqual(['images']);
  // The folder that is named may be a link itself.
  symlinkSync(join(from, 'images/b'), join(outside, 'images'));
  expect(await copyImages(join(outside, 'images'), to)).toMatchObject({ copied: 1 });
});

test('anybody can read what is kept, whatever the rights and the umask were', async () => {
  const umask = process.umask(0o077);
  onTestFinished(() => void process.umask(umask));
  const [from, parent] = [temporaryFolder(), temporaryFolder()];
  write(from, { 'images/2026/a.png': 'a' });
  const to = join(parent, 'media');
  await copyImages(from, to);
  const modes = ['', 'images', 'images/2026', 'images/2026/a.png'].map((path) =>
    (statSync(join(to, path)).mode & 0o777).toString(8),
  );
  expect(modes).toEqual(['755', '755', '755', '444']);
});

test('a folder that is absent or holds the target is refused', async () => {
  const folder = temporaryFolder();
  write(folder, { 'images/a.png': 'a' });
  await expect(copyImages(join(folder, 'none'), folder)).rejects.toMatchObject({
    code: 'IMPORT_UNREADABLE',
  });
  await expect(copyImages(folder, folder)).rejects.toMatchObject({ code: 'USAGE' });
});
