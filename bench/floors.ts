// What the machine can do with the same tree in the same round, durable as the build is: unpacking it,
// copying it, and writing as many bytes from two threads. Each goes into a folder that never was before,
// because some file systems are slow to use freed inodes again.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quote, run, settle, shell } from './processes.ts';
import type { TreeFacts } from './tree.ts';

export type FloorName = 'tar -xf' | 'tar -xf, links kept' | 'cp -r' | 'two-thread writer';

export type Floors = {
  /** In `target`, a folder that is not there yet. */
  readonly measure: (name: FloorName, target: string, isWarm: boolean) => Promise<number>;
};

type FloorInput = {
  /** Folder of the tree that was built. */
  readonly tree: string;
  readonly facts: TreeFacts;
  /** Folder for archives and lists. */
  readonly folder: string;
  readonly names: readonly FloorName[];
};

/** Packs the tree; every measurement unpacks or copies it. */
export const prepareFloors = async ({
  tree,
  facts,
  folder,
  names,
}: FloorInput): Promise<Floors> => {
  mkdirSync(folder, { recursive: true });
  const plain = join(folder, 'plain.tar');
  const linked = join(folder, 'linked.tar');
  const list = join(folder, 'files.json');
  await shell(`tar --hard-dereference -cf ${quote(plain)} -C ${quote(tree)} .`);
  if (names.includes('tar -xf, links kept')) {
    await shell(`tar -cf ${quote(linked)} -C ${quote(tree)} .`);
  }
  writeFileSync(list, JSON.stringify(facts.files));
  await settle(folder);
  const writer = join(import.meta.dirname, 'writer.js');
  const commands: Readonly<Record<FloorName, (target: string) => string>> = {
    'tar -xf': (target) => `tar -xf ${quote(plain)} -C ${quote(target)}`,
    'tar -xf, links kept': (target) => `tar -xf ${quote(linked)} -C ${quote(target)}`,
    'cp -r': (target) => `cp -r ${quote(tree)}/. ${quote(target)}`,
    'two-thread writer': (target) =>
      `${quote(process.execPath)} ${quote(writer)} ${quote(list)} ${quote(target)}`,
  };
  return {
    measure: async (name, target, isWarm) => {
      mkdirSync(target, { recursive: true });
      await settle(folder, { isWarm });
      const line = `${commands[name](target)} && sync -f ${quote(target)}`;
      const { seconds } = await run('sh', ['-c', line]);
      return seconds;
    },
  };
};
