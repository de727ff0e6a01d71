// What the lists of addresses to forget are made from, read from the settings and the manifest.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { hasTreeCopies } from '../emit/tree-copies.ts';
import { writeWhole } from '../emit/write-whole.ts';
import { defaultList, defaultRecord } from '../hosts/dumb/copies.ts';
import { HOSTS } from '../hosts/hosts.ts';
import type { PurgeOptions } from '../paths/purge.ts';
import type { PublishDeps } from '../publisher/publish-once.ts';

type Read = Pick<PublishDeps, 'config' | 'paths' | 'manifest'>;

export const purgeOptionsOf = (read: Read): PurgeOptions => {
  const { config } = read;
  const selection = { profile: config.profile, variants: config.variants ?? null };
  const site = { defaultVariants: config.defaultVariants, selection };
  return {
    basePath: config.basePath,
    slugOf: slugsOf(read),
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
    content: `${config.basePath}/content`.slice(1),
    record: join(dirname(paths.manifest), 'host-copies.json'),
  });

/**
 * Finds the slugs of records that are stored under another name, also of those that are gone: caches remember a record
 * by its slug, which no manifest has any more. A hash is of one slug for ever, so names are only added.
 */
const slugsOf = ({ manifest, paths }: Read): NonNullable<PurgeOptions['slugOf']> => {
  const file = join(dirname(paths.manifest), 'stored-names.json');
  const known = readNames(file);
  const present = manifest
    .storedSegments()
    .map(({ resource, slug, segment }) => [`${resource}/${segment}`, slug] as const);
  const slugs = new Map([...known, ...present]);
  if (present.some(([name, slug]) => known.get(name) !== slug))
    writeWhole(file, `${JSON.stringify(Object.fromEntries(slugs))}\n`);
  return (resource, segment) => slugs.get(`${resource}/${segment}`);
};

/** What cannot be read counts as empty. */
const readNames = (file: string): Map<string, string> => {
  try {
    const names = z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(file, 'utf8')));
    return new Map(Object.entries(names));
  } catch {
    return new Map();
  }
};
