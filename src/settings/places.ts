// Where a publication lies, and which places must be apart: what lies in the output or the media folder is served, so
// the folder of the database, with its secrets, lies in neither; and builds place what the media folder keeps in the
// output, so neither of those lies in the other. Pages are rendered from all that lies among their templates.
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isInside } from '../base/files/inside.ts';
import { databaseFileOf } from './database-address.ts';
import { findDeployPlace } from './deploy-targets.ts';
import type { Config } from './settings.ts';

type Places = Pick<Config, 'database' | 'data' | 'output' | 'media'>;

export const mediaFolderOf = (places: Places): string =>
  typeof places.media === 'string'
    ? resolve(places.media)
    : mediaBeside(dirname(databaseFileOf(places)));

/**
 * Not in the folder of the database, which is closed to other users. A data folder of another name gives its own to the
 * media folder: publications side by side must not share one.
 */
const mediaBeside = (folder: string): string =>
  join(dirname(folder), basename(folder) === 'data' ? 'media' : `${basename(folder)}-media`);

/** The templates of pages in the working folder, where `init` places them; null where there are none. */
export const findTemplates = (): string | null =>
  existsSync('content/_includes') ? resolve('content') : null;

export const areApart = (one: string, other: string): boolean =>
  !isInside(one, other) && !isInside(other, one);

/** A sentence for each two places that are not apart. */
export const placeFaults = (places: Places): string[] => {
  const data = dirname(databaseFileOf(places));
  const output = resolve(places.output);
  const media = mediaFolderOf(places);
  const faults: string[] = [];
  if (isInside(data, output)) {
    faults.push(
      `Setting output: ${output} holds the folder of the database, ${data}, and would serve its secrets; name another folder.`,
    );
  }
  if (isInside(data, media)) {
    faults.push(
      `Setting media: ${media} holds the folder of the database, ${data}, and would serve its secrets; name another folder.`,
    );
  }
  if (!areApart(media, output)) {
    faults.push(
      `Settings output and media: ${output} and ${media} must not contain each other; name another folder.`,
    );
  }
  const templates = findTemplates();
  for (const [name, folder] of Object.entries({ output, media })) {
    if (templates === null || areApart(templates, folder)) continue;
    faults.push(
      `Setting ${name}: ${folder} and the templates of pages, ${templates}, must not contain each other; name another folder.`,
    );
  }
  return faults;
};

/** A sentence for each folder of the setting `deploy` that is not apart from the output and from the database. */
export const deployFaults = (
  config: Pick<Config, 'database' | 'data' | 'output' | 'deploy'>,
): string[] => {
  const data = dirname(databaseFileOf(config));
  const output = resolve(config.output);
  return config.deploy.flatMap(({ target }) => {
    const place = findDeployPlace(target);
    if (place?.kind !== 'dir') return [];
    const { folder } = place;
    if (!areApart(folder, output)) {
      return [`Setting deploy: ${folder} and the output ${output} must not contain each other.`];
    }
    return isInside(data, folder)
      ? [
          `Setting deploy: ${folder} holds the folder of the database, ${data}; name another folder.`,
        ]
      : [];
  });
};
