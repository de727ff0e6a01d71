// Makes the sizes of one picture, as Ghost does: never larger than it, turned as its orientation says, without what a camera
// wrote into it. One picture at a time, and none that would take much memory.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Metadata, Sharp } from 'sharp';
import { readHash } from '../../base/files/file-hash.ts';
import { makeFolder } from '../../base/files/make-folder.ts';
import { MEMORY_BYTES_MAX, memoryOf } from './picture-memory.ts';
import { findSides } from './wanted-sizes.ts';

export type EncodeRequest = {
  readonly file: string;
  /** Such as w600 or w600/format/webp. */
  readonly sizes: readonly string[];
  /** The folder of sizes. */
  readonly folder: string;
};

export type Encoded = {
  /** SHA-256 of the original, in hex. */
  readonly hash: string;
  /** Files by size, relative to the folder; an empty one: the original answers. */
  readonly made: Readonly<Record<string, string>>;
  /** By size, why the original answers; ends a sentence that begins with its path. */
  readonly faults: Readonly<Record<string, string>>;
};

/** What sharp has, but for formats that nobody uploads. */
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'];
/** As formats are called in addresses and by sharp. */
const FORMATS: Readonly<Record<string, 'jpeg' | 'png' | 'webp' | 'gif' | 'avif'>> = {
  ...{ jpg: 'jpeg', jpeg: 'jpeg', png: 'png', webp: 'webp', gif: 'gif' },
  ...{ avif: 'avif', heif: 'avif' },
};
const PIXELS_MAX = 268_402_689;
/** More takes several times the time, and more memory. */
const AVIF_EFFORT = 2;
const SECONDS_MAX = 60;

export type PictureEncoder = (request: EncodeRequest) => Promise<Encoded>;

/** Throws when sharp cannot be loaded. */
export const loadEncoder = async (): Promise<PictureEncoder> => {
  const { default: sharp } = await import('sharp');
  sharp.concurrency(1);
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS.map((name) => `VipsForeignLoad${name}`) });
  return async ({ file, sizes, folder }) => {
    const hash = await readHash(file);
    const bytes = (await stat(file)).size;
    const open = (isAnimated: boolean): Sharp =>
      sharp(file, { animated: isAnimated, limitInputPixels: PIXELS_MAX })
        .autoOrient()
        .timeout({ seconds: SECONDS_MAX });
    const made: Record<string, string> = {};
    const faults: Record<string, string> = {};
    const known = new Map<string, string>();
    const head = sharp(file, { limitInputPixels: false }).metadata();
    for (const size of sizes) {
      try {
        const picture = await head;
        const fault = findFault(picture, size);
        made[size] =
          fault === null ? await makeSize({ picture, bytes, hash, folder, open, known }, size) : '';
        if (fault !== null) faults[size] = fault;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error;
        made[size] = '';
        faults[size] = `cannot be resized (${sayError(error, file)})`;
      }
    }
    return { hash, made, faults };
  };
};

const sayError = (error: unknown, file: string): string =>
  String((error as Error).message)
    .replaceAll(`${file}: `, '')
    .split('\n')[0]
    ?.slice(0, 100) ?? '';

const findFault = (picture: Metadata, size: string): string | null => {
  if (picture.width * picture.height > PIXELS_MAX) {
    return `has more than ${PIXELS_MAX.toLocaleString('en')} pixels`;
  }
  return memoryOf(picture, size) > MEMORY_BYTES_MAX
    ? 'would take too much memory to resize, as large as it is and of its kind'
    : null;
};

type Encoding = {
  readonly picture: Metadata;
  /** Of the original. */
  readonly bytes: number;
  readonly hash: string;
  readonly folder: string;
  readonly open: (isAnimated: boolean) => Sharp;
  /** What came of each plan: sizes that come out alike have one file. */
  readonly known: Map<string, string>;
};

/** The name of its file, or an empty one. */
const makeSize = async (encoding: Encoding, size: string): Promise<string> => {
  const plan = planOf(encoding, size);
  if (plan === null) return '';
  const file = encoding.known.get(plan.file) ?? (await encode(encoding, plan));
  encoding.known.set(plan.file, file);
  return file;
};

type Planned = {
  readonly file: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly format: 'jpeg' | 'png' | 'webp' | 'gif' | 'avif';
  /** Another format than the original's was asked for. */
  readonly isConverted: boolean;
};

const planOf = ({ picture, hash }: Encoding, size: string): Planned | null => {
  const { width, height, format: asked } = findSides(size);
  const format = FORMATS[asked ?? picture.format];
  if (format === undefined) return null;
  const { width: most } = picture.autoOrient;
  const isPlain = width !== null && height === null;
  const name = isPlain ? `w${Math.min(width, most)}` : size.split('/')[0];
  const file = `${hash.slice(0, 2)}/${hash}-${name}.${format}`;
  return { file, width, height, format, isConverted: asked !== null };
};

const ANIMATED: readonly string[] = ['webp', 'gif'];

/** The name of the file; empty where the original is smaller and tells nothing. */
const encode = async (
  { picture, bytes, folder, open }: Encoding,
  { file, width, height, format, isConverted }: Planned,
): Promise<string> => {
  const path = join(folder, file);
  if (existsSync(path)) return file;
  const buffer = await open(ANIMATED.includes(format))
    .resize(width, height, { withoutEnlargement: true })
    .toFormat(format, format === 'avif' ? { effort: AVIF_EFFORT } : {})
    .toBuffer();
  const { exif, xmp, iptc } = picture;
  const tells = exif !== undefined || xmp !== undefined || iptc !== undefined;
  if (!isConverted && buffer.length >= bytes && !tells) return '';
  const draft = join(folder, `.${randomBytes(6).toString('hex')}.new`);
  try {
    makeFolder(dirname(path), { isPrivate: true });
    await writeFile(draft, buffer, { flush: true });
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  return file;
};
