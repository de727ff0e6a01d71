// How much memory libvips takes to make a picture's size, judged by the head of its file: what it keeps of what it decodes, and
// of what it encodes. As measured with libvips 8.18. Pure.
import type { Metadata } from 'sharp';
import { findSides } from './wanted-sizes.ts';

/** So that the process takes 300 MB at most. */
export const MEMORY_BYTES_MAX = 130_000_000;
/** Of lines that it reads one by one, so many are kept. */
const LINES_KEPT = 2_000;
const HEIF_PIXEL_BYTES = 18;
/** Of a line, while it is shrunk. */
const SHRUNK_PIXEL_BYTES = 600;
/** PNG is written line by line, other formats as a whole. */
const ENCODED_PIXEL_BYTES = 4;
/** Of a frame of an animation, which is encoded in several ways. */
const WEBP_FRAME_PIXEL_BYTES = 24;
/** Colours are multiplied by it, and divided again. */
const ALPHA_SHARE = 1.25;

export const memoryOf = (picture: Metadata, size: string): number =>
  decodedBytes(picture, size) + picture.width * SHRUNK_PIXEL_BYTES + encodedBytes(picture, size);

const decodedBytes = (picture: Metadata, size: string): number => {
  const { width, height, channels, depth, format, pages = 1, isProgressive } = picture;
  const isTurned = (picture.orientation ?? 1) > 1;
  const isInLines = (format === 'jpeg' || format === 'png') && !isProgressive && !isTurned;
  const pixels = width * (isInLines ? Math.min(height, LINES_KEPT) : height * pages);
  if (format === 'jpeg') return pixels * jpegPixelBytes(picture, isTurned ? size : null);
  if (format === 'heif') return pixels * HEIF_PIXEL_BYTES;
  return pixels * channels * (picture.hasAlpha ? ALPHA_SHARE : 1) * (depth === 'uchar' ? 1 : 2);
};

/** A progressive one is kept as numbers of two bytes until its last byte was read. `shrunk`: a size that is made of it whole. */
const jpegPixelBytes = (picture: Metadata, shrunk: string | null): number => {
  const { channels, chromaSubsampling, isProgressive } = picture;
  if (isProgressive) return chromaSubsampling === '4:2:0' ? 3 : 2 * channels;
  return channels / (shrunk === null ? 1 : shrinkOf(picture, shrunk) ** 2);
};

/** JPEG is decoded at a half, a quarter or an eighth where that is enough for the size. */
const shrinkOf = ({ autoOrient }: Metadata, size: string): number => {
  const width = findSides(size).width ?? autoOrient.width;
  return [8, 4, 2].find((shrink) => autoOrient.width >= width * shrink) ?? 1;
};

const encodedBytes = ({ autoOrient, format, pages = 1 }: Metadata, size: string): number => {
  const sides = findSides(size);
  const width = Math.min(sides.width ?? autoOrient.width, autoOrient.width);
  const height = sides.height ?? (autoOrient.height * width) / autoOrient.width;
  const encoded = sides.format ?? format;
  if (encoded === 'png') return 0;
  const ofFrame = encoded === 'webp' && pages > 1 ? WEBP_FRAME_PIXEL_BYTES : 0;
  return width * height * (pages * ENCODED_PIXEL_BYTES + ofFrame);
};
