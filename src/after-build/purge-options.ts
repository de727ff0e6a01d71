// What the lists of addresses to forget are made from, read from the settings and the manifest.
import { dirname, join } from 'node:path';
import { hasTreeCopies } from '../emit/tree-copies.ts';
import { defaultList, defaultRecord } from '../hosts/dumb/copies.ts';
import { HOSTS } from '../hosts/hosts.ts';
import type { PurgeOptions } from '../paths/purge.ts';
import type { PublishDeps } from '../publisher/publish-once.ts';
import type { Manifest } from '../store/manifest.ts';

type Read = Pick<PublishDeps, 'config' | 'paths' | 'manifest'>;

export const purgeOptionsOf = (read: Read): PurgeOptions => {
  const { config, manifest } = read;
  const selection = { profile: config.profile, variants: config.variants ?? null };
  const site = { defaultVariants: config.defaultVariants, selection };
  return {
    basePath: config.basePath,
    slugOf: slugsOf(manifest),
    selection,
    ...(hasCopies(read) && {
      shown: (resource, kind) =>
        kind === 'list' ? defaultList(site, resource) : defaultRecord(site, resource),
    }),
  };
};

const hasCopies = ({ config, paths }: Read): boolean =>
  config.profile === 'dumb' ||
  HOSTS.some(({ name, copies }) => copies !== undefined && config.hosts.includes(name)) ||
  hasTreeCopies({
    root: paths.output,
    record: join(dirname(paths.manifest), 'host-copies.json'),
  });

/** Finds the slugs of records that are stored under another name. */
const slugsOf = (manifest: Manifest): NonNullable<PurgeOptions['slugOf']> => {
  const slugs = new Map(
    manifest
      .storedSegments()
      .map(({ resource, slug, segment }) => [`${resource}/${segment}`, slug]),
  );
  return (resource, segment) => slugs.get(`${resource}/${segment}`);
};
