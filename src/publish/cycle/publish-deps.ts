// What a cycle works with: a publication that is open, and where its files are.
import type { Clock } from '../../base/clock.ts';
import type { Store } from '../../publication/store/store.ts';
import type { DataPaths } from '../../settings/data-paths.ts';
import type { Config } from '../../settings/settings.ts';
import type { BlobMemory } from '../build/tree/blob-memory.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { MediaBucket } from './media-bucket.ts';

export type PublishDeps = {
  readonly config: Config;
  readonly paths: DataPaths;
  readonly store: Store;
  readonly manifest: Manifest;
  readonly clock: Clock;
  /** Null or absent: the media folder alone keeps pictures. */
  readonly bucket?: MediaBucket | null;
  /** Of a program that stays open. */
  readonly blobMemory?: BlobMemory;
  /** Of a program that stays open: the position of its newest build that changed a byte. */
  readonly lastChange?: { seq: number };
  /** The worker of long builds; absent: the bundled one. */
  readonly buildWorkerFile?: string;
};
