// Lists that have more pages than files, in a sentence that names the settings.

import { RESOURCES } from '../../../content/paths/endpoints.ts';
import { listPagesOf } from '../../../publish/build/output-settings.ts';
import type { Workspace } from '../../../serve/workspace/workspace.ts';

/** A sentence, or none where the files have all pages. */
export const listPagesLines = ({
  config,
  manifest,
}: Pick<Workspace, 'config' | 'manifest'>): string[] => {
  const pages = listPagesOf(config);
  if (pages === 'all') return [];
  const longer = RESOURCES.flatMap((resource) => {
    const all = Math.ceil(manifest.count(resource) / config['lists.max']);
    return all > pages ? [`${resource} ${pages} of ${all}`] : [];
  });
  return longer.length === 0
    ? []
    : [
        `Pages of lists that are files: ${longer.join(', ')}. The server and hosts that run code answer the others; for hosts that do not, name them in "hosts", or set "lists.pages".`,
      ];
};
