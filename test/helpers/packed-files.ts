// The packed tree of an odd publication, or of plain posts, as files that a server reads.
import { blobFile, PACKED_ROOT_FILE } from '../../src/content/tree/names.ts';
import type { Root } from '../../src/content/tree/tree.ts';
import { LEVELS } from '../../src/publish/packed/boundaries.ts';
import type { MemoryBlobs } from './memory-blobs.ts';
import { ODD_NOW, type OddPublication, type OddRecord, packOdd } from './odd-records.ts';

type Put = (file: string, body: string | Buffer) => void;

/** Blobs first, as a build places them. */
export const putPacked = (
  put: Put,
  { blobs, root }: { readonly blobs: MemoryBlobs; readonly root: Root },
): void => {
  for (const [name, bytes] of blobs.all) put(`content/${blobFile(name)}`, bytes);
  put(`content/${PACKED_ROOT_FILE}`, JSON.stringify(root));
};

/** Posts with these documents and nothing else, the first one the newest. */
export const publicationOf = (
  documents: readonly Readonly<Record<string, unknown>>[],
): OddPublication => ({
  posts: documents.map((document, at): OddRecord => {
    const time = ODD_NOW - at * 60_000;
    const id = String(document.id);
    const shown = { slug: id, title: id, uuid: id, visibility: 'public', ...document };
    return {
      id,
      publishedMs: time,
      createdMs: time,
      updatedMs: time,
      tags: [],
      authors: [],
      plaintext: null,
      document: shown,
    };
  }),
  pages: [],
  tags: [],
  authors: [],
});

/** Packs such posts as a build does. */
export const packPosts = (documents: readonly Readonly<Record<string, unknown>>[], max = 1_000) =>
  packOdd(publicationOf(documents), { levels: LEVELS, max });

/** An id of which nothing but its number is to be known. */
export const numberedId = (number: number): string => String(number).padStart(24, '0');
