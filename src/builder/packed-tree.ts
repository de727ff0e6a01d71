// Opens the packed tree for a build, and ends it: what is made of it (default lists, search files), its root, and what
// goes.

import { PrepressError } from '../base/errors.ts';
import { PACKED_ROOT_FILE } from '../base/packed-names.ts';
import { renderEmbeddedTiers } from '../documents/tiers-document.ts';
import { type BlobFiles, createBlobFiles } from '../emit/blob-files.ts';
import type { Session } from '../emit/session.ts';
import { LEVELS, type Levels } from '../packed/levels.ts';
import type { Resource } from '../paths/endpoints.ts';
import type { Root } from '../queries/tree.ts';
import { createTreeStore } from '../queries/tree-store.ts';
import type { Manifest } from '../store/manifest.ts';
import type { Snapshot } from '../store/snapshot.ts';
import type { BlobMemory } from './blob-memory.ts';
import { writeDefaultLists } from './default-lists.ts';
import { tierRows } from './fixed-documents.ts';
import type { OutputSettings } from './output-settings.ts';
import type { PassContext } from './pass-context.ts';
import type { Plan } from './plan.ts';
import { readWritten } from './read-written.ts';
import type { Pass } from './resource-pass.ts';
import { writeSearchFiles } from './search-files.ts';
import { settleTree } from './settle-tree.ts';
import { createTreeBlobs } from './tree-blobs.ts';
import { TreePacker } from './tree-packer.ts';

type OpenInput = {
  readonly root: string;
  readonly plan: Plan;
  readonly manifest: Manifest;
  readonly snapshot: Pick<Snapshot, 'rows'>;
  readonly settings: OutputSettings;
  readonly levels?: Levels;
  readonly blobMemory?: BlobMemory | undefined;
};

/** Throws OUTPUT_DIFFERS when the root that is to be edited is not the one that was written. */
export const openTree = (input: OpenInput, session: Session, isFull: boolean): BuildTree => {
  const { root, manifest, plan, snapshot, settings, levels = LEVELS, blobMemory } = input;
  const files = createBlobFiles(session.leaves, root);
  const blobs = createTreeBlobs({ files, manifest, isFull, memory: blobMemory });
  const before = plan.kind === 'incremental' ? readRoot(root, manifest) : null;
  const tiers =
    settings.render.ghost === undefined ? null : renderEmbeddedTiers(tierRows(snapshot));
  return { packer: new TreePacker({ blobs, levels, before, max: settings.listMax, tiers }), files };
};

/** The tree, and the files that its blobs are written to. */
export type BuildTree = { readonly packer: TreePacker; readonly files: BlobFiles };

const readRoot = (folder: string, manifest: Manifest): Root => {
  const bytes = readWritten(folder, manifest, PACKED_ROOT_FILE);
  if (bytes !== null) return JSON.parse(bytes.toString('utf8')) as Root;
  throw new PrepressError(
    'OUTPUT_DIFFERS',
    `${PACKED_ROOT_FILE} in the output is not the one written.`,
  );
};

/** Blobs that are kept while lists are made: about those of one page, which all variants share. */
const STORE_BYTES_MAX = 16 * 1024 * 1024;

type FinishInput = {
  readonly passes: ReadonlyMap<Resource, Pass>;
  readonly nowMs: number;
};

export const finishTree = async (
  context: PassContext,
  settings: OutputSettings,
  { passes, nowMs }: FinishInput,
): Promise<Root> => {
  const { packer, files } = context.tree;
  const root = packer.root();
  const store = createTreeStore({
    readRoot: async () => root,
    readBlob: async (name) => packer.blobs.read(name),
    bytesMax: STORE_BYTES_MAX,
  });
  const { listPages, keepHours } = settings;
  await writeDefaultLists(context, { store, root, passes, listPages });
  await writeSearchFiles(context, { tree: { store, root }, passes, isOn: settings.searchIndex });
  await settleTree(context, { root, keepHours, nowMs });
  context.session.addLeaves(files.take());
  return root;
};
