// Writes the files that search in the browser reads, where what they are made of may differ, and removes them while the
// setting `searchIndex` is off.

import type { Resource } from '../paths/endpoints.ts';
import { SEARCHED, searchFile } from '../paths/files.ts';
import type { TreeStore } from '../queries/tree-store.ts';
import { hasChanges } from './default-lists.ts';
import { removeOldSidecars } from './fixed-documents.ts';
import { type PassContext, tick } from './pass-context.ts';
import { putFile } from './put-file.ts';
import type { Pass } from './resource-pass.ts';
import { searchDocument } from './search-index.ts';

type Input = {
  readonly store: TreeStore;
  readonly passes: ReadonlyMap<Resource, Pass>;
  readonly isOn: boolean;
};

export const writeSearchFiles = async (
  context: PassContext,
  { store, passes, isOn }: Input,
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
    putFile(context, name, await session.writeFile(await searchDocument(store, resource)));
    if (isFull) removeOldSidecars(context, name);
    await tick();
  }
};
