// What is estimated of a picture's memory is refused where the process took more than 300 MB, as measured, and made elsewhere.
import type { Metadata } from 'sharp';
import { expect, test } from 'vitest';
import { MEMORY_BYTES_MAX, memoryOf } from '../../../../src/publish/sizes/picture-memory.ts';

const WIDTHS = ['w600', 'w1000', 'w1600', 'w2400'];

type Given = Partial<Metadata> & Pick<Metadata, 'width' | 'height'>;

const headOf = (given: Given): Metadata =>
  ({
    ...{ format: 'jpeg', channels: 3, depth: 'uchar', chromaSubsampling: '4:2:0' },
    ...{ isProgressive: false, hasAlpha: false, autoOrient: given },
    ...given,
  }) as Metadata;

const PNG = { format: 'png' } as const;
const TURNED = (width: number, height: number): Given => ({
  ...{ width: height, height: width, orientation: 6 },
  autoOrient: { width, height, orientation: 1 } as never,
});
const ALPHA = { channels: 4, hasAlpha: true } as const;

test.each<[what: string, head: Given, isMade: boolean]>([
  ['a photograph', { width: 8_000, height: 6_000 }, true],
  ['a large one', { width: 16_000, height: 16_000 }, true],
  ['a turned one of a phone', TURNED(6_048, 8_064), true],
  ['a turned strip', TURNED(4_400, 30_000), false],
  ['a progressive one', { width: 5_700, height: 5_700, isProgressive: true }, true],
  ['a larger one', { width: 8_000, height: 8_000, isProgressive: true }, false],
  ['a high strip', { width: 4_000, height: 65_000 }, false],
  ['a screenshot', { ...PNG, width: 1_500, height: 30_000 }, true],
  ['a wide strip', { ...PNG, width: 1_000_000, height: 30 }, false],
  [
    'an interlaced one',
    { ...PNG, ...ALPHA, width: 4_990, height: 4_990, isProgressive: true },
    true,
  ],
  ['an AVIF', { format: 'heif', width: 2_300, height: 2_300 }, true],
  ['a larger one', { format: 'heif', width: 4_000, height: 4_000 }, false],
  ['a WebP', { format: 'webp', ...ALPHA, width: 4_400, height: 4_400 }, true],
  ['an animated one', { format: 'webp', ...ALPHA, pages: 10, width: 1_000, height: 1_000 }, true],
  ['a larger one', { format: 'webp', ...ALPHA, pages: 2, width: 2_300, height: 2_300 }, false],
])('%s, %j: sizes %s', (_what, head, isMade) => {
  const bytes = WIDTHS.map((size) => memoryOf(headOf(head), size));
  expect(Math.max(...bytes) <= MEMORY_BYTES_MAX).toBe(isMade);
});
