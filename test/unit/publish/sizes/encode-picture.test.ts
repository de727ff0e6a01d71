// Sizes of pictures as Ghost makes them, and pictures that keep their original.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeEach, expect, test } from 'vitest';
import { loadEncoder } from '../../../../src/publish/sizes/encode-picture.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';
import { pngOf } from '../../../helpers/upload-files.ts';

const encode = await loadEncoder();
let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

/** Noise, so that no file is small by chance. */
const noise = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp({
    create: {
      ...{ width, height, channels, background: '#888' },
      noise: { type: 'gaussian', mean: 128, sigma: 30 },
    },
  });

const put = (name: string, bytes: Buffer): string => {
  const file = join(folder, name);
  writeFileSync(file, bytes);
  return file;
};

const make = async (file: string, ...sizes: string[]) => {
  const { made, faults } = await encode({ file, sizes, folder });
  const rows = Object.entries(made).map(async ([size, name]) => [size, await show(name)] as const);
  return { ...Object.fromEntries(await Promise.all(rows)), faults };
};

const show = async (name: string): Promise<string> => {
  if (name === '') return 'the original';
  const found = await sharp(join(folder, name), { animated: true }).metadata();
  const { format, width, height, pageHeight, pages } = found;
  return `${format} ${width}x${pageHeight ?? height}${pages ? ` ${pages} pages` : ''}`;
};

test('a size is never larger than the picture, and an icon is cut to a square', async () => {
  const file = put('a.jpg', await noise(800, 400).jpeg({ quality: 95 }).toBuffer());
  expect(await make(file, 'w600', 'w1000', 'w2400', 'w256h256', 'w600/format/webp')).toEqual({
    faults: {},
    w600: 'jpeg 600x300',
    w1000: 'jpeg 800x400',
    w2400: 'jpeg 800x400',
    w256h256: 'jpeg 256x256',
    'w600/format/webp': 'webp 600x300',
  });
});

test('orientation is applied, and nothing that a camera wrote is left', async () => {
  const exif = { IFD3: { GPSLatitude: '51/1 30/1 0/1', GPSLatitudeRef: 'N' } };
  const turned = noise(400, 200).jpeg({ quality: 30 }).withMetadata({ orientation: 6 });
  const file = put('a.jpg', await turned.withExifMerge(exif).toBuffer());
  expect((await sharp(file).metadata()).exif).toBeDefined();
  const { made } = await encode({ file, sizes: ['w100', 'w600'], folder });
  for (const [size, width] of [
    ['w100', 100],
    ['w600', 200],
  ] as const) {
    const found = await sharp(join(folder, made[size] ?? '')).metadata();
    expect(found).toMatchObject({ width, height: width * 2 });
    expect([found.exif, found.orientation, found.xmp]).toEqual([undefined, undefined, undefined]);
  }
});

test('a size that would be larger than the file of the picture is the original', async () => {
  const file = put('a.jpg', await noise(300, 300).jpeg({ quality: 20 }).toBuffer());
  expect(await make(file, 'w300', 'w100')).toEqual({
    faults: {},
    w300: 'the original',
    w100: 'jpeg 100x100',
  });
});

test('animated pictures stay so, but for formats that have none', async () => {
  const frames = await Promise.all([1, 2, 3].map(() => noise(40, 20).png().toBuffer()));
  const file = put(
    'a.gif',
    await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer(),
  );
  expect(await make(file, 'w20', 'w20/format/webp', 'w20/format/png')).toEqual({
    faults: {},
    w20: 'gif 20x10 3 pages',
    'w20/format/webp': 'webp 20x10 3 pages',
    'w20/format/png': 'png 20x10',
  });
});

test('pictures that are odd have a size of the right width, or keep their original with a reason', async () => {
  const photo = await noise(240, 160).jpeg({ quality: 95 }).toBuffer();
  const cases: readonly (readonly [name: string, bytes: Buffer])[] = [
    ['cmyk.jpg', await noise(240, 160).toColourspace('cmyk').jpeg().toBuffer()],
    ['deep.png', await noise(240, 160).toColourspace('rgb16').png().toBuffer()],
    ['profile.jpg', await noise(240, 160).withIccProfile('p3').jpeg().toBuffer()],
    ['in-fact-a-png.jpg', await noise(240, 160).png().toBuffer()],
    ['alpha.webp', await noise(240, 160, 4).webp().toBuffer()],
    ['modern.avif', await noise(240, 160).avif({ effort: 0 }).toBuffer()],
    ['cut.jpg', photo.subarray(0, photo.length / 2)],
    ['drawing.jpg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['empty.png', Buffer.alloc(0)],
    ['huge.png', pngOf(30_000, 30_000)],
    ['progressive.jpg', await progressive(12_000, 9_000)],
  ];
  const found: Record<string, string> = {};
  for (const [name, bytes] of cases) {
    const { made, faults } = await encode({ file: put(name, bytes), sizes: ['w120'], folder });
    const { w120 = '' } = made;
    found[name] = [await show(w120), ...Object.values(faults)].join(': ');
  }
  expect(found).toMatchInlineSnapshot(`
    {
      "alpha.webp": "webp 120x80",
      "cmyk.jpg": "jpeg 120x80",
      "cut.jpg": "the original: cannot be resized (VipsJpeg: premature end of JPEG image)",
      "deep.png": "png 120x80",
      "drawing.jpg": "the original: cannot be resized (Input file contains unsupported image format)",
      "empty.png": "the original: cannot be resized (Input file contains unsupported image format)",
      "huge.png": "the original: has more than 268,402,689 pixels",
      "in-fact-a-png.jpg": "png 120x80",
      "modern.avif": "heif 120x80 1 pages",
      "profile.jpg": "jpeg 120x80",
      "progressive.jpg": "the original: would take too much memory to resize, as large as it is and of its kind",
    }
  `);
});

test('a size that cannot be made leaves the others of its picture', async () => {
  const background = '#369';
  const strip = sharp({ create: { width: 60, height: 17_000, channels: 3, background } });
  const file = put('strip.png', await strip.png().toBuffer());
  expect(await make(file, 'w30', 'w60/format/webp', 'w30/format/webp')).toEqual({
    'w60/format/webp': 'the original',
    w30: 'png 30x8500',
    'w30/format/webp': 'webp 30x8500',
    faults: { 'w60/format/webp': expect.stringContaining('too large for the WebP format') },
  });
});

/** A small one whose head names these sides. */
const progressive = async (width: number, height: number): Promise<Buffer> => {
  const bytes = await noise(16, 16).jpeg({ progressive: true }).toBuffer();
  const head = bytes.indexOf(Buffer.from([0xff, 0xc2]));
  bytes.writeUInt16BE(height, head + 5);
  bytes.writeUInt16BE(width, head + 7);
  return bytes;
};

test('the same picture is encoded once', async () => {
  const bytes = await noise(800, 400).jpeg({ quality: 95 }).toBuffer();
  const [one, other] = [put('a.jpg', bytes), put('b.jpg', bytes)];
  const first = await encode({ file: one, sizes: ['w600'], folder });
  const file = join(folder, first.made.w600 ?? '');
  const before = statSync(file).ino;
  expect(await encode({ file: other, sizes: ['w600'], folder })).toEqual(first);
  expect(statSync(file).ino).toBe(before);
  expect(readFileSync(file).length).toBeGreaterThan(0);
});
