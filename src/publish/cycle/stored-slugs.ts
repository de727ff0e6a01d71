// The slugs of records that are stored under another name, also of those that are gone: caches and receivers remember a record
// by its slug, which no manifest has any more. A hash is of one slug for ever, so names are only added.
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { readJsonFile } from '../../base/files/read-json.ts';
import { writeWhole } from '../../base/files/write-whole.ts';
import type { PurgeOptions } from '../deploy/purge/purge.ts';
import type { PublishDeps } from './publish-deps.ts';

export const storedSlugs = ({
  manifest,
  paths,
}: Pick<PublishDeps, 'manifest' | 'paths'>): NonNullable<PurgeOptions['slugOf']> => {
  const file = join(dirname(paths.manifest), 'stored-names.json');
  const known = new Map(Object.entries(readJsonFile(z.record(z.string(), z.string()), file) ?? {}));
  const present = manifest
    .storedSegments()
    .map(({ resource, slug, segment }) => [`${resource}/${segment}`, slug] as const);
  const slugs = new Map([...known, ...present]);
  if (present.some(([name, slug]) => known.get(name) !== slug))
    writeWhole(file, `${JSON.stringify(Object.fromEntries(slugs))}\n`);
  return (resource, segment) => slugs.get(`${resource}/${segment}`);
};
