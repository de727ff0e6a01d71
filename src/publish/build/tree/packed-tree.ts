// Opens the packed tree for a build, and ends it: what is made of it (default lists, search files), its root, and what
// goes.
import { PrepressError } from '../../../base/errors.ts';
import type { Resource } from '../../../content/paths/endpoints.ts';
import { decodeJson } from '../../../content/tree/decode-chunk.ts';
import { PACKED_ROOT_FILE } from '../../../content/tree/names.ts';
import type { Root } from '../../../content/tree/tree.ts';
import { createTreeStore } from '../../../content/tree/tree-store.ts';
import { renderEmbeddedTiers } from '../../../publication/documents/tiers-document.ts';
import type { Snapshot } from '../../../publication/snapshot/snapshot.ts';
import type { Manifest } from '../../manifest/manifest.ts';
import { createBlobFiles } from '../../output/session/blob-files.ts';
import type { Session } from '../../output/session/session.ts';
import { LEVELS, type Levels } from '../../packed/boundaries.ts';
import { writeDefaultLists } from '../lists/default-lists.ts';
import { tierRows } from '../lists/fixed-documents.ts';
import { writeSearchFiles } from '../lists/search-files.ts';
import type { OutputSettings } from '../output-settings.ts';
import type { PassContext } from '../pass-context.ts';
import type { Plan } from '../plan.ts';
import type { Pass } from '../render/resource-pass.ts';
import type { BlobMemory } from './blob-memory.ts';
import { finishPackedTree } from './finish-tree.ts';
import { readWritten } from './read-written.ts';
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
export const openTree = (
  input: OpenInput,
  session: Session,
  isFull: boolean,
): PassContext['tree'] => {
  const { root, manifest, plan, snapshot, settings, levels = LEVELS, blobMemory } = input;
  const files = createBlobFiles(session.leaves, root);
  const blobs = createTreeBlobs({ files, manifest, isFull, memory: blobMemory });
  const before = plan.kind === 'incremental' ? readRoot(root, manifest) : null;
  const tiers =
    settings.render.ghost === undefined ? null : renderEmbeddedTiers(tierRows(snapshot));
  return { packer: new TreePacker({ blobs, levels, before, max: settings.listMax, tiers }), files };
};

const readRoot = (folder: string, manifest: Manifest): Root => {
  const bytes = readWritten(folder, manifest, PACKED_ROOT_FILE);
  // The bytes are those of the manifest.
  if (bytes !== null) return decodeJson(bytes);
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
  await finishPackedTree(context, { root, keepHours, nowMs });
  context.session.addRecordFiles(files.take());
  return root;
};
