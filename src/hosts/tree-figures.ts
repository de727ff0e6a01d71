// What a host's limits are about: how many files it would get, how large, and how many stand in a folder.
import { RESOURCES } from '../paths/endpoints.ts';
import { isSelected } from '../paths/selection.ts';
import type { HostSite } from './host.ts';

export type TreeFigures = {
  readonly files: number;
  readonly bytes: number;
  readonly largest: { readonly path: string; readonly bytes: number };
  readonly folder: { readonly path: string; readonly entries: number };
};

/** Counts what the host is given of the tree; images and pages for people are not known here. */
export const treeFiguresOf = (
  site: Pick<HostSite, 'treeFiles' | 'selection' | 'segments'>,
): TreeFigures => {
  let files = 0;
  let bytes = 0;
  let largest = { path: 'the largest file', bytes: 0 };
  const listFiles = new Map<string, number>();
  for (const { path, size } of site.treeFiles()) {
    if (!isSelected(path, site.selection)) continue;
    files += 1;
    bytes += size;
    if (size > largest.bytes) largest = { path, bytes: size };
    const [resource = '', name = '', ...rest] = path.split('/');
    if (rest.length === 0 && name !== '')
      listFiles.set(resource, (listFiles.get(resource) ?? 0) + 1);
  }
  // The folder of a resource holds one folder for each record, its lists, and the folder of slugs.
  const folders = RESOURCES.map((resource) => ({
    path: `content/${resource}`,
    entries: site.segments(resource).length + (listFiles.get(resource) ?? 0) + 1,
  }));
  const folder = folders.reduce((one, other) => (other.entries > one.entries ? other : one));
  return { files, bytes, largest, folder };
};
