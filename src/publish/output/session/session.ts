// One change of the output tree. Files are staged whole in a hidden folder beside it and then placed: leaves and blobs, single
// files, removals, each step durable before the next, so that no list names a record, and no root a blob, whose files are
// not there, whatever breaks in between. Sidecars go with their files.
import type { Durability } from '../../../base/files/durability.ts';
import type { Encoding } from '../../../content/paths/sidecars.ts';
import type { RecordFileSpec, StagedRecordFiles } from './record-file-writer.ts';
import type { WrittenFile } from './whole-file.ts';

export type SessionOptions = {
  /** The content folder. */
  readonly root: string;
  /** Compare with what stands on the disk instead of taking every file for changed. */
  readonly compare: boolean;
  /** Each file gets a sidecar of each. */
  readonly encodings: readonly Encoding[];
  /** Makes files durable; another one only in tests. */
  readonly durability: Durability;
};

export type Session = {
  /** How records' files are written; workers make writers of their own from it. */
  readonly leaves: RecordFileSpec;
  /** Takes over what a record-file writer has written. */
  readonly addRecordFiles: (leaves: StagedRecordFiles) => void;
  /** Writes a single file, such as a list, which is then put or dropped. */
  readonly writeFile: (pieces: readonly Uint8Array[]) => Promise<WrittenFile>;
  readonly putFile: (name: string, file: WrittenFile) => InstalledFile;
  readonly dropFile: (file: WrittenFile) => void;
  /** With the sidecars that stand beside it, whatever the encodings are. */
  readonly remove: (name: string) => void;
  /** True once the tree itself may have changed. */
  readonly hasTouched: () => boolean;
  /** Brings everything that was staged into place, durably. */
  readonly place: () => Promise<SessionReport>;
  /** Removes what was staged and not placed. */
  readonly discard: () => Promise<void>;
};

/** The stat key that the file has in its place; `isSame` when it stood there already. */
export type InstalledFile = { readonly statKey: string; readonly isSame: boolean };

export type SessionReport = {
  /** Files that were written, a record's two names and all sidecars counted each, and removed. */
  readonly written: number;
  readonly removed: number;
  /** Names of the files that were written and removed, relative to the content folder; null when the
   * whole tree is new, or when a build that broke off changed more than is known. */
  readonly names: {
    readonly written: readonly string[];
    /** Those of the written that were not there before. */
    readonly added?: readonly string[];
    readonly removed: readonly string[];
  } | null;
};
