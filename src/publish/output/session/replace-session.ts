// A session over a tree that stands: each changed file is staged, then renamed over its name, so that a
// reader sees the old bytes or the new ones and nothing else.
import { rmSync, unlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { foldersLeftOf, OwnFolders } from '../../../base/files/own-folders.ts';
import { GroupPlacer } from './group-placer.ts';
import { ListGroup } from './list-group.ts';
import { RecordFileGroup } from './record-file-group.ts';
import { Removals } from './removals.ts';
import type { Session, SessionOptions, SessionReport } from './session.ts';
import { STAGING_FOLDER } from './tree-parts.ts';

export const createReplaceSession = (options: SessionOptions): Session => {
  const { root, compare, encodings } = options;
  const staged = new StagedChange(options);
  const { staging, leafGroup, listGroup, removals } = staged;
  return {
    leaves: { kind: 'replace', root, staging, compare, encodings },
    addRecordFiles: (leaves) => leafGroup.add(leaves),
    writeFile: (pieces) => listGroup.write(pieces),
    putFile: (name, file) => listGroup.put(name, file),
    dropFile: ({ temporary }) => unlinkSync(temporary),
    remove: (name) => removals.add(name),
    hasTouched: () => staged.hasTouched,
    place: () => staged.place(),
    discard: () => staged.discard(),
  };
};

/** What was staged, on its way into place. */
class StagedChange {
  readonly staging: string;
  readonly leafGroup: RecordFileGroup;
  readonly listGroup: ListGroup;
  readonly removals: Removals;
  hasTouched = false;
  readonly #options: SessionOptions;
  readonly #own: OwnFolders;
  readonly #placer: GroupPlacer;
  #clearing: Promise<void> = Promise.resolve();

  constructor(options: SessionOptions) {
    const { root } = options;
    this.staging = join(root, STAGING_FOLDER);
    this.#options = options;
    this.#own = new OwnFolders(root);
    this.#placer = new GroupPlacer(root, this.#own);
    this.leafGroup = new RecordFileGroup(root);
    this.listGroup = new ListGroup(options, this.staging, this.#own);
    this.removals = new Removals(root, this.#own);
  }

  async place(): Promise<SessionReport> {
    await this.listGroup.stageSidecars();
    const listFolders = this.listGroup.listFolders();
    await this.#sync(listFolders);
    this.hasTouched = true;
    await this.#rename(listFolders);
    const removed = await this.#remove();
    const written = [...this.leafGroup.files, ...this.listGroup.files].map(({ name }) => name);
    const names = { written, added: this.#placer.added, removed };
    return { written: written.length, removed: removed.length, names };
  }

  /** Makes the staged files durable. Throws when a name that they need is no folder of the tree. */
  async #sync(listFolders: ReadonlySet<string>): Promise<void> {
    const { leafGroup, listGroup } = this;
    const { root, durability } = this.#options;
    // A record's two names are mostly the same file.
    const staged = [...leafGroup.files, ...listGroup.files].filter(({ isAlias }) => !isAlias);
    const paths = new Set(staged.map(({ temporary }) => temporary));
    await Promise.all([durability.syncPaths(root, paths), ...listGroup.syncs]);
    if (this.#options.compare) return;
    await this.#placer.throwTaken(new Set([...leafGroup.folders, ...listFolders]));
  }

  /** Records and blobs first, durably, then what names them. */
  async #rename(listFolders: Set<string>): Promise<void> {
    const { root, durability } = this.#options;
    const placer = this.#placer;
    const { files: leaves, folders } = this.leafGroup;
    const { files: lists } = this.listGroup;
    await durability.syncPaths(root, await placer.rename(leaves, folders));
    const touched = await placer.rename(lists, listFolders);
    // Nothing is staged any more. Some disks take as long to free a folder as to sync one.
    this.#clearing = rm(this.staging, { recursive: true, force: true });
    await Promise.all([durability.syncPaths(root, touched), this.#clearing]);
  }

  async #remove(): Promise<readonly string[]> {
    const { root, durability } = this.#options;
    const { removed, emptied } = this.removals.run();
    await durability.syncPaths(root, foldersLeftOf(root, [...removed, ...emptied]));
    return removed;
  }

  async discard(): Promise<void> {
    // Network disks keep a name of what is open; and the next session makes the folder again.
    await Promise.allSettled([this.#clearing, ...this.listGroup.syncs]);
    rmSync(this.staging, { recursive: true, force: true });
  }
}
