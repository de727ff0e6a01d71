// Ends the packed tree of a build: its root, and what becomes of blobs that it does not have any more. They stay a while
// for readers that are under way, whatever made the build; but when a record was taken back, no blob of an earlier
// generation stays, since any may hold it.
import { blobFile, PACKED_ROOT_FILE } from '../../../content/tree/names.ts';
import type { Root } from '../../../content/tree/tree.ts';
import { findBlobs } from '../../output/stale/find-blobs.ts';
import { isNamed } from '../../packed/blobs.ts';
import { removeOldSidecars } from '../lists/fixed-documents.ts';
import { putFile } from '../lists/put-file.ts';
import type { PassContext } from '../pass-context.ts';

const HOUR_MS = 3_600_000;

type Input = {
  readonly root: Root;
  /** How long blobs of earlier generations stay. */
  readonly keepHours: number;
  readonly nowMs: number;
};

export const finishPackedTree = async (
  context: PassContext,
  { root, keepHours, nowMs }: Input,
): Promise<void> => {
  const { manifest, session, isFull, takenBack } = context;
  const tree = context.tree.packer;
  const file = await session.writeFile([Buffer.from(JSON.stringify(root))]);
  const hasChanged = putFile(context, PACKED_ROOT_FILE, file);
  const { put, replaced } = tree.blobs.settle(root);
  // A tree that was packed anew tells by what it no longer has.
  const known = tree.before === null ? manifest.blobNames() : [];
  for (const blob of put) manifest.putBlob(blob);
  // What is removed makes a generation: time alone makes none.
  if (!isFull && !hasChanged && keepHours > 0) return;
  const kept = new Set(put.map(({ name }) => name));
  const gone = tree.before === null ? known.filter((name) => !kept.has(name)) : replaced;
  for (const name of gone) manifest.markReplaced(name, nowMs);
  removeExpired(context, { keepHours: takenBack.size === 0 ? keepHours : 0, nowMs });
  if (isFull) checkKept(context);
};

const removeExpired = (
  { manifest, session }: PassContext,
  { keepHours, nowMs }: Omit<Input, 'root'>,
): void => {
  const expired = keepHours > 0 ? nowMs - keepHours * HOUR_MS : Number.MAX_SAFE_INTEGER;
  for (const name of manifest.blobsReplacedBy(expired)) {
    manifest.removeBlob(name);
    session.remove(blobFile(name));
  }
};

/** Keeps what is whole of what the manifest names, with the sidecars of now; all other blobs on the disk go. */
const checkKept = (context: PassContext): void => {
  const { manifest, session, root, encodings } = context;
  const { files: blobs } = context.tree;
  for (const { name } of manifest.replacedBlobs()) {
    const bytes = blobs.read(blobFile(name));
    if (bytes !== null && isNamed(name, bytes)) blobs.put(blobFile(name), bytes);
    else manifest.removeBlob(name);
  }
  if (session.leaves.kind === 'fresh') return;
  const files = new Set(manifest.blobNames().map(blobFile));
  removeOldSidecars(context, PACKED_ROOT_FILE);
  for (const { name, document, encoding } of findBlobs(root)) {
    const isOwn = files.has(document) && (encoding === null || encodings.includes(encoding));
    if (!isOwn) session.remove(name);
  }
};
