// Opens the manifest.
import type { Manifest, ManifestOptions } from './manifest.ts';
import { openSqliteManifest } from './sqlite/manifest-db.ts';

/** Opens the build database, making it when it is absent, and again when it is damaged. */
export const openManifest = (path: string, options: ManifestOptions = {}): Manifest =>
  openSqliteManifest(path, options);
