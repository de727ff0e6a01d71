// What the lists of addresses to forget are made from, read from the settings and the manifest.
import { dirname, join } from 'node:path';
import type { PublishDeps } from '../cycle/publish-deps.ts';
import { storedSlugs } from '../cycle/stored-slugs.ts';
import type { PurgeOptions } from '../deploy/purge/purge.ts';
import { HOSTS } from '../hosts/hosts.ts';
import { defaultList, defaultRecord } from '../hosts/plain-files/copies.ts';
import { hasTreeCopies } from '../output/copies/tree-copies.ts';
import { RECORDS } from '../output/copies/written-files.ts';

type Read = Pick<PublishDeps, 'config' | 'paths' | 'manifest'>;

export const purgeOptionsOf = (read: Read): PurgeOptions => {
  const { config } = read;
  const selection = { profile: config.profile, variants: config.variants ?? null };
  const site = { defaultVariants: config.defaultVariants, selection };
  return {
    basePath: config.basePath,
    slugOf: storedSlugs(read),
    selection,
    ...(hasCopies(read) && {
      shown: (resource, kind) =>
        kind === 'list' ? defaultList(site, resource) : defaultRecord(site, resource),
    }),
  };
};

const hasCopies = ({ config, paths }: Read): boolean =>
  config.profile === 'plain-files' ||
  HOSTS.some(({ name, copies }) => copies !== undefined && config.hosts.includes(name)) ||
  hasTreeCopies({
    root: paths.output,
    content: `${config.basePath}/content`.slice(1),
    record: join(dirname(paths.manifest), RECORDS.copies),
  });
