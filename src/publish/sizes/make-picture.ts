// Makes the sizes that one picture waits for, and notes them. A picture that changes meanwhile goes on waiting.
import { existsSync, rmSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { asDiskError } from '../../base/files/disk-error.ts';
import { findHash } from '../../base/files/file-hash.ts';
import { findStat } from '../../base/files/stat-key.ts';
import type { Encoded, EncodeRequest } from './encode-picture.ts';
import type { EncoderProcess, Encoding } from './encoder-process.ts';
import { isFileOf, madeOf, type SizesPlace } from './place-sizes.ts';
import { wantedSizes } from './wanted-sizes.ts';

const UNWRITABLE = {
  code: 'OUTPUT_UNWRITABLE',
  begins: 'Sizes of pictures cannot be written: ',
  place: 'a picture in a size',
} as const;

type Encode = EncoderProcess['encode'];

/** Null, or why no picture can be made in sizes now. Throws OUTPUT_UNWRITABLE. */
export const makePicture = async (
  place: SizesPlace,
  path: string,
  encode: Encode,
): Promise<string | null> => {
  const { index, root, folder } = place;
  const file = join(root, path);
  const stats = findStat(file);
  if (stats?.isFile() !== true) return null;
  const sizes = missingSizes(place, path, stats);
  if (sizes.length === 0) return null;
  const hasChanged = (): boolean => !isFileOf(findStat(file), stats);
  try {
    const said = await encodeTwice(encode, { file, sizes, folder });
    if ('unusable' in said) return `the process that resizes them cannot start (${said.unusable}).`;
    const encoded = 'ended' in said ? asOriginal(file, sizes) : said.encoded;
    if (hasChanged()) removeMade(place, encoded);
    else {
      index.inOne(() => {
        index.putOriginal(path, stats, encoded.hash);
        index.putMade(encoded);
      });
    }
  } catch (error) {
    if (!hasChanged()) throw asDiskError(error, UNWRITABLE);
  }
  return null;
};

const missingSizes = (place: SizesPlace, path: string, stats: Stats): string[] => {
  const made = madeOf(place.index, path, stats);
  return wantedSizes(place.index.usesOf(path), place.settings).filter((size) => {
    const name = made.get(size);
    return name === undefined || (name !== '' && !existsSync(join(place.folder, name)));
  });
};

/** Somebody else may have ended the process: only a picture that does it twice is to blame. */
const encodeTwice = async (encode: Encode, request: EncodeRequest): Promise<Encoding> => {
  const first = await encode(request);
  return 'ended' in first ? encode(request) : first;
};

const asOriginal = (file: string, sizes: readonly string[]): Encoded => ({
  hash: findHash(file)?.toString('hex') ?? '',
  made: Object.fromEntries(sizes.map((size) => [size, ''])),
  faults: Object.fromEntries(sizes.map((size) => [size, ENDED])),
});

const ENDED = 'ended the process that resizes pictures, or took longer than ten minutes';

/** What may show another picture than the hash in its name says. */
const removeMade = ({ index, folder }: SizesPlace, { made }: Encoded): void => {
  for (const name of Object.values(made)) {
    if (name !== '' && !index.isFileNeeded(name)) rmSync(join(folder, name), { force: true });
  }
};
