// What a host is told about the publication, read from the settings and the manifest.
import { resolve } from 'node:path';
import type { Config } from '../config/settings.ts';
import { RESOURCES, type Resource, SHAPES } from '../paths/endpoints.ts';
import type { Manifest } from '../store/manifest.ts';
import type { HostSite } from './host.ts';

type Given = Partial<Pick<HostSite, 'keyHashes' | 'origin'>>;

export const hostSiteOf = (config: Config, manifest: Manifest, given: Given = {}): HostSite => ({
  basePath: config.basePath,
  output: resolve(config.output),
  names: manifest.storedSegments(),
  paged: RESOURCES.filter((resource) => config[`lists.${resource}.limit`] !== undefined),
  keyHashes: null,
  origin: { host: '127.0.0.1', port: 8080 },
  defaultVariants: supersets,
  ...given,
});

/** The variant with everything: right for clients that ask for any. */
const supersets = Object.fromEntries(
  RESOURCES.map((resource) => [resource, SHAPES[resource].recordVariants.at(-1) ?? 'index']),
) as Record<Resource, string>;
