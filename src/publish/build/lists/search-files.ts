// Writes the files that search in the browser reads, where what they are made of may differ, and removes them while the
// setting `searchIndex` is off.
import { setImmediate as tick } from 'node:timers/promises';
import type { Resource } from '../../../content/paths/endpoints.ts';
import { SEARCHED, searchFile } from '../../../content/paths/files.ts';
import type { Tree } from '../../../content/queries/source.ts';
import type { PassContext } from '../pass-context.ts';
import type { Pass } from '../render/resource-pass.ts';
import { readWritten } from '../tree/read-written.ts';
import { hasChanges } from './default-lists.ts';
import { removeOldSidecars } from './fixed-documents.ts';
import { putFile } from './put-file.ts';
import { type EarlierPosts, searchDocument } from './search-index.ts';

type Input = {
  readonly tree: Tree;
  readonly passes: ReadonlyMap<Resource, Pass>;
  readonly isOn: boolean;
};

export const writeSearchFiles = async (
  context: PassContext,
  { tree, passes, isOn }: Input,
): Promise<void> => {
  const { session, manifest, isFull } = context;
  for (const resource of SEARCHED) {
    const name = searchFile(resource);
    if (!isOn) {
      if (!isFull && manifest.file(name) === undefined) continue;
      session.remove(name);
      manifest.removeFile(name);
      continue;
    }
    const changes = passes.get(resource)?.lists;
    if (changes === undefined || !hasChanges(changes)) continue;
    const earlier = resource === 'posts' ? findEarlier(context, name) : null;
    putFile(
      context,
      name,
      await session.writeFile(await searchDocument(tree, resource, { earlier })),
    );
    if (isFull) removeOldSidecars(context, name);
    await tick();
  }
};

const findEarlier = (
  { root, manifest, tree: { packer } }: PassContext,
  name: string,
): EarlierPosts | null => {
  const document = packer.before && readWritten(root, manifest, name);
  return document && packer.before && { root: packer.before, document };
};
