// Checks what the packed tree says against the manifest: the same records, at the same times. Its blobs are looked at with
// the other files, and each is what its name says.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RESOURCES, type Resource } from '../../../content/paths/endpoints.ts';
import { decodeJson } from '../../../content/tree/decode-chunk.ts';
import { blobFile, PACKED_ROOT_FILE } from '../../../content/tree/names.ts';
import { parseRoot } from '../../../content/tree/parse-root.ts';
import type { Ids, IndexDirectory, Root, TermKeys } from '../../../content/tree/tree.ts';
import type { Manifest } from '../../manifest/manifest.ts';

type PackedInput = {
  readonly contentFolder: string;
  readonly manifest: Pick<Manifest, 'file' | 'segments' | 'entries'>;
};

/**
 * Why the manifest is not that of the tree; null when it is, or when the tree itself cannot be read, which the look at
 * its files tells.
 */
export const findPackedFault = ({ contentFolder, manifest }: PackedInput): string | null => {
  const read = (file: string): Buffer => readFileSync(join(contentFolder, file));
  if (manifest.file(PACKED_ROOT_FILE) === undefined) return null;
  for (const resource of RESOURCES) {
    let packed: ReadonlyMap<string, number>;
    try {
      const root = parseRoot(read(PACKED_ROOT_FILE).toString());
      if (root === null) return null;
      packed = timesOf(resource, root, (name) => decodeJson(read(blobFile(name))));
    } catch {
      return null;
    }
    const ids = manifest.segments(resource).map(({ id }) => id);
    const entries = manifest.entries(resource, ids);
    const isSame =
      packed.size === entries.size && ids.every((id) => packed.get(id) === entries.get(id)?.ms);
    if (!isSame) return `its ${resource} are not those of the packed tree`;
  }
  return null;
};

const timesOf = (
  resource: Resource,
  root: Root,
  read: <T>(name: string) => T,
): ReadonlyMap<string, number> => {
  if (resource === 'tags' || resource === 'authors') {
    return new Map(read<TermKeys>(root[resource].keys).id.map((id) => [id, 0]));
  }
  const directory = root[resource].ids;
  const blobs = directory === null ? [] : read<IndexDirectory>(directory);
  const found = blobs.map(([name]) => read<Ids>(name));
  return new Map(found.flatMap(({ id, ms }) => id.map((one, at) => [one, ms[at] as number])));
};
