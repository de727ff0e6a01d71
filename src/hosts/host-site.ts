// What a host is told about the publication, read from the settings and the manifest.
import { resolve } from 'node:path';
import type { Config } from '../config/settings.ts';
import { RESOURCES } from '../paths/endpoints.ts';
import type { Profile } from '../paths/selection.ts';
import type { Manifest } from '../store/manifest.ts';
import type { Host, HostSite } from './host.ts';
import { listOtherFiles } from './other-files.ts';

type Given = Partial<Pick<HostSite, 'keyHashes' | 'origin' | 'selection'>>;

export const hostSiteOf = (config: Config, manifest: Manifest, given: Given = {}): HostSite => ({
  basePath: config.basePath,
  output: resolve(config.output),
  names: manifest.storedSegments(),
  paged: RESOURCES.filter((resource) => config[`lists.${resource}.limit`] !== undefined),
  keyHashes: null,
  origin: { host: '127.0.0.1', port: 8080 },
  selection: { profile: config.profile, variants: config.variants ?? null },
  defaultVariants: config.defaultVariants,
  segments: manifest.segments,
  treeFiles: manifest.allFiles,
  otherFiles: () => listOtherFiles(resolve(config.output), config.basePath),
  ...given,
});

/** The profile that a host is written with: the one asked for where it can serve it, else its usual one. */
export const profileFor = ({ profiles = ['literal'] }: Host, asked: Profile): Profile =>
  profiles.includes(asked) ? asked : (profiles[0] ?? 'literal');
