// The blobs of one build: which it wrote, which are read again, and which belong to no part of the tree any more.
import { PrepressError } from '../../../base/errors.ts';
import { RESOURCES, type Resource } from '../../../content/paths/endpoints.ts';
import { blobFile } from '../../../content/tree/names.ts';
import type { BlobName, Root } from '../../../content/tree/tree.ts';
import type { BlobEntry, Manifest } from '../../manifest/manifest.ts';
import type { BlobFiles } from '../../output/session/blob-files.ts';
import { type Blobs, blobName, isNamed, sha256Of } from '../../packed/blobs.ts';
import type { BlobMemory } from './blob-memory.ts';

export type TreeBlobs = {
  /** The blobs of one resource: what it drops stays while another one, to which the record has moved, has put it. */
  readonly of: (resource: Resource) => Blobs;
  /** Bytes of a blob, of this build or of before. Throws OUTPUT_DIFFERS. */
  readonly read: (name: BlobName) => Buffer;
  /** What the build has used, at its end. */
  readonly settle: (root: Root) => SettledBlobs;
};

export type SettledBlobs = {
  /** Written, or stood already and belong to the tree again. */
  readonly put: readonly BlobEntry[];
  /** Belonged to the tree before. */
  readonly replaced: readonly BlobName[];
};

type Input = {
  readonly files: BlobFiles;
  readonly manifest: Pick<Manifest, 'hasBlob'>;
  /** The manifest says nothing of what stands. */
  readonly isFull: boolean;
  /** Of a program that stays open. */
  readonly memory?: BlobMemory | undefined;
};

export const createTreeBlobs = ({ files, manifest, isFull, memory }: Input): TreeBlobs => {
  const put = new Map<BlobName, BlobEntry & { readonly isFresh: boolean }>();
  const dropped = new Set<BlobName>();
  /** Who has put what in this build, and not dropped it since. */
  const held = new Set<`${Resource} ${BlobName}`>();
  const stands = (name: BlobName): boolean => !isFull && manifest.hasBlob(name);
  const read = (name: BlobName): Buffer => {
    const path = blobFile(name);
    const statKey = memory === undefined ? null : files.statKey(path);
    const kept = statKey === null ? null : (memory?.find(name, statKey) ?? null);
    if (kept !== null) return kept;
    const bytes = files.read(path);
    if (bytes !== null && isNamed(name, bytes)) {
      if (statKey !== null) memory?.keep(name, statKey, bytes);
      return bytes;
    }
    throw new PrepressError('OUTPUT_DIFFERS', `${path} in the output is gone or has other bytes.`);
  };
  return {
    of: (resource) => ({
      put: (bytes, ending) => {
        const sha256 = sha256Of(bytes);
        const name = blobName(sha256, ending);
        held.add(`${resource} ${name}`);
        if (put.has(name)) return name;
        const isFresh = !stands(name);
        if (isFresh) files.put(blobFile(name), bytes);
        put.set(name, { name, size: bytes.length, sha256, isFresh });
        return name;
      },
      drop: (name) => {
        held.delete(`${resource} ${name}`);
        dropped.add(name);
      },
      read,
    }),
    read,
    settle: (root) => {
      // Blobs without ids, such as counts, may stand for two things; the root names all of them.
      const named = JSON.stringify(root);
      const isHeld = (name: BlobName) => RESOURCES.some((one) => held.has(`${one} ${name}`));
      const gone = [...dropped].filter((name) => !isHeld(name) && !named.includes(name));
      for (const name of gone) {
        if (put.get(name)?.isFresh === true) files.drop(blobFile(name));
      }
      const isGone = new Set(gone);
      return {
        put: [...put.values()].filter(({ name }) => !isGone.has(name)),
        replaced: gone.filter((name) => put.get(name)?.isFresh !== true),
      };
    },
  };
};
