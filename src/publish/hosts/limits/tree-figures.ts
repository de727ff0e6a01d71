// What a host's limits are about: how many files it would get, how large, and how many stand in a folder.
import { RESOURCES } from '../../../content/paths/endpoints.ts';
import { isSelected } from '../../../content/paths/selection.ts';
import type { HostFile, HostSite, TreeCopy } from '../host.ts';

export type TreeFigures = {
  readonly files: number;
  readonly bytes: number;
  readonly largest: { readonly path: string; readonly bytes: number };
  readonly folder: { readonly path: string; readonly entries: number };
};

type Counted = Pick<HostSite, 'treeFiles' | 'selection' | 'segments'>;

/** Counts what the host is given of the tree. */
export const treeFiguresOf = (site: Counted): TreeFigures => {
  let files = 0;
  let bytes = 0;
  let largest = { path: 'the largest file', bytes: 0 };
  const listFiles = new Map<string, number>();
  for (const { path, size } of site.treeFiles()) {
    if (!isSelected(path, site.selection)) continue;
    files += 1;
    bytes += size;
    if (size > largest.bytes) largest = { path, bytes: size };
    const slash = path.indexOf('/');
    if (slash < 0 || path.includes('/', slash + 1)) continue;
    const resource = path.slice(0, slash);
    listFiles.set(resource, (listFiles.get(resource) ?? 0) + 1);
  }
  const hasRecords = site.selection.profile !== 'packed';
  // The folder of a resource holds one folder for each record, its lists, and the folder of slugs.
  const folders = RESOURCES.map((resource) => ({
    path: `content/${resource}`,
    entries: hasRecords ? site.segments(resource).length + (listFiles.get(resource) ?? 0) + 1 : 0,
  }));
  const folder = folders.reduce((one, other) => (other.entries > one.entries ? other : one));
  return { files, bytes, largest, folder };
};

/** With what else lies in the output, and the names that the tree gets for a host. */
export const uploadFiguresOf = (
  site: Counted & Pick<HostSite, 'basePath' | 'otherFiles'>,
  made: { readonly files: readonly HostFile[]; readonly copies: readonly TreeCopy[] },
): TreeFigures => {
  const tree = treeFiguresOf(site);
  const content = `${site.basePath}/content/`.slice(1);
  const sources = new Set(made.copies.map(({ source }) => source));
  const sizes = new Map<string, number>();
  for (const { path, size } of sources.size === 0 ? [] : site.treeFiles())
    if (sources.has(`${content}${path}`)) sizes.set(`${content}${path}`, size);
  const own = new Set([...made.files, ...made.copies].map(({ path }) => path));
  const more = [
    ...[...site.otherFiles()].filter(({ path }) => !own.has(path)),
    ...made.files.map(({ path, text }) => ({ path, size: Buffer.byteLength(text) })),
    ...made.copies.map(({ path, source }) => ({ path, size: sizes.get(source) ?? 0 })),
  ];
  return {
    folder: tree.folder,
    files: tree.files + more.length,
    bytes: more.reduce((sum, { size }) => sum + size, tree.bytes),
    largest: more
      .map(({ path, size }) => ({ path, bytes: size }))
      .reduce((one, other) => (other.bytes > one.bytes ? other : one), tree.largest),
  };
};
