// What to say where a project brings a file, such as _redirects, that the rules for a host need too.
import { dirname, join, resolve } from 'node:path';
import { realPathOf } from '../../base/files/inside.ts';
import { getHost } from '../../publish/hosts/hosts.ts';
import { openFileOwners } from '../../publish/hosts/placing/file-owners.ts';
import { ownFileSentence } from '../../publish/hosts/placing/own-file.ts';
import { listEditedFiles } from '../../publish/output/copies/host-files.ts';
import { RECORDS } from '../../publish/output/copies/written-files.ts';
import type { PageFilesReport } from '../../publish/output/pages/page-files.ts';
import { dataPathsOf } from '../../settings/data-paths.ts';
import type { Config } from '../../settings/settings.ts';
import { pagePath, type RenderedPages } from './place-rendered.ts';

/** Of pages that were left out, because something stands in their place. */
export const blockedSentences = (
  { blocked }: Pick<PageFilesReport, 'blocked'>,
  config: Config,
): string[] => {
  const { contentFolder, database } = dataPathsOf(config);
  const owners = openFileOwners(dirname(database));
  return blocked.map((name) => {
    const path = join(dirname(contentFolder), name);
    const owner = owners.ownerOf(path);
    if (owner === undefined)
      return `The page ${name} was left out: another file stands at ${path}. Move that file away or rename the page, and build again.`;
    const host = getHost(owner);
    const isUsed = config.hosts.includes(host.name);
    const unused = ` If you no longer use the rules, run "prepress hosts remove ${owner}".`;
    return `${ownFileSentence(host, path, 'the rules')}${isUsed ? '' : unused}`;
  });
};

/** Of rules that this run of Eleventy replaced by files of the project. */
export const replacedRules = ({ config, event, copied }: RenderedPages): string[] => {
  const { output, database } = dataPathsOf(config);
  const dataFolder = dirname(database);
  const owners = openFileOwners(dataFolder);
  const edited = new Set(listEditedFiles(join(dataFolder, RECORDS.hosts)));
  const folder = event.directories.output;
  const root = realPathOf(resolve(folder));
  const names = [
    ...event.results.map(({ outputPath }) => pagePath(outputPath, folder)),
    ...Object.keys(copied).map((address) => decodeURI(address).slice(1)),
  ];
  const replaced = names.filter((name) => edited.has(join(root, name)));
  return replaced.flatMap((name) => {
    const path = join(output, name);
    const owner = owners.ownerOf(path);
    return owner === undefined ? [] : [ownFileSentence(getHost(owner), path, 'yours')];
  });
};
