// What a page says of its pictures: the sizes that are made of the site's own, and the sides of one whose file is there.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSitePictures } from '../../../../src/pages/site/site-pictures.ts';
import { putPicture } from '../../../helpers/pictures.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const IMAGES = '/blog/content/images';

const picturesIn = (folder: string, widths = [600, 1000]) =>
  createSitePictures({ folder, widths }, '/blog');

test('pictures of the site name their sizes, those of others, drawings and icons none', () => {
  const { srcset } = picturesIn('/none');
  const sizes = `${IMAGES}/size/w600/2026/a%20b.jpg 600w, ${IMAGES}/size/w1000/2026/a%20b.jpg 1000w`;
  expect(srcset(`${IMAGES}/2026/a%20b.jpg`)).toBe(sizes);
  expect(srcset(`${IMAGES}/size/w300/2026/a%20b.jpg`)).toBe(sizes);
  expect(srcset(`${IMAGES}/a.jpg?v=1`)).toContain(`${IMAGES}/size/w600/a.jpg?v=1 600w`);
  const none = ['https://other.test/a.jpg', '/content/images/a.jpg', '/blog/content/files/a.jpg'];
  const plain = [`${IMAGES}/a.svg`, `${IMAGES}/a.ico`, `${IMAGES}/a.svg?v=1`, `${IMAGES}/%00.jpg`];
  for (const image of [...none, ...plain, null])
    expect([image, srcset(image)]).toEqual([image, null]);
  expect(picturesIn('/none', []).srcset(`${IMAGES}/a.jpg`)).toBeNull();
});

test('a picture whose width is known has no larger size than itself', () => {
  const { srcset } = picturesIn('/none');
  const image = `${IMAGES}/a.jpg`;
  expect(srcset(image, 800)).toBe(`${IMAGES}/size/w600/a.jpg 600w, ${image} 800w`);
  expect(srcset(image, 600)).toBeNull();
});

test('the sides are those of the file, and its digest changes with it', async () => {
  const folder = temporaryFolder();
  const { sides, digest } = picturesIn(folder);
  const image = `${IMAGES}/2026/a%20b.png`;
  expect([sides(image), digest(image)]).toEqual([null, '']);
  await putPicture(join(folder, 'images/2026/a b.png'), 40, 30);
  const before = digest(image);
  expect(sides(image)).toEqual({ width: 40, height: 30 });
  await putPicture(join(folder, 'images/2026/a b.png'), 30, 40);
  expect(sides(image)).toEqual({ width: 30, height: 40 });
  expect(digest(image)).not.toBe(before);
  const elsewhere = ['https://other.test/a.png', `${IMAGES}/..%2f..%2fa.png`, `${IMAGES}/2026`];
  for (const one of [...elsewhere, null]) expect([one, sides(one)]).toEqual([one, null]);
});
