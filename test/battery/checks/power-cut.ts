// What must hold when the power comes back: every file is whole and no list names an absent record; what
// was announced, or said to be built, is there with its bytes; and the next build reaches those of a clean
// one. The last is tried with a manifest that is trusted as much as the real disk would let it be.
import { existsSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { statKeyOf } from '../../../src/base/files/stat-key.ts';
import { loadDriver } from '../../../src/base/sqlite/driver.ts';
import { publishOnce } from '../../../src/publish/cycle/publish-once.ts';
import { type StateRow, sumOfState } from '../../../src/publish/manifest/sqlite/manifest-sums.ts';
import { openWorkspace } from '../../../src/serve/workspace/workspace.ts';
import { loadConfig } from '../../../src/settings/load.ts';
import { expectTree } from '../../helpers/clean-tree.ts';
import { CONTENT, DATABASE } from '../../helpers/serve.ts';
import { readTree } from '../../helpers/tree.ts';
import { checkTree } from '../../helpers/tree-reader.ts';

export type AfterCut = {
  readonly folder: string;
  /** The tree that the cut build was to lead to. */
  readonly clean: ReadonlyMap<string, string>;
  /** The generation that it was to announce. */
  readonly generation: number;
  /** The program had said that it was done. */
  readonly wasSaid: boolean;
};

export const checkAfterCut = async (after: AfterCut): Promise<{ readonly announced: boolean }> => {
  const { folder, clean, generation, wasSaid } = after;
  const content = join(folder, CONTENT);
  expect(checkTree(content)).toEqual([]);
  const announced = readGeneration(folder) >= generation;
  if (wasSaid) expect(announced).toBe(true);
  if (announced) expectStanding(content, clean);
  await rebuild(folder);
  expectTree(content, clean);
  return { announced };
};

const expectStanding = (content: string, clean: ReadonlyMap<string, string>): void => {
  const tree = existsSync(content) ? readTree(content) : new Map<string, string>();
  const absent = [...clean].filter(([name, text]) => tree.get(name) !== text);
  expect(absent.map(([name]) => name)).toEqual([]);
};

/** The announced generation; 0 for none. */
const readGeneration = (folder: string): number => {
  const shell = new (loadDriver())(join(folder, DATABASE), { timeout: 60_000 });
  try {
    expect(shell.pragma('integrity_check', { simple: true })).toBe('ok');
    const found = shell.prepare('SELECT generation FROM published_position').pluck().get();
    return (found as number | undefined) ?? 0;
  } finally {
    shell.close();
  }
};

/** Builds in this process what lies in a folder. */
export const rebuild = async (folder: string): Promise<void> => {
  const workspace = await openWorkspace(
    loadConfig({
      environment: {},
      flags: { database: join(folder, DATABASE), output: join(folder, 'output') },
    }),
  );
  try {
    await publishOnce(workspace);
  } finally {
    await workspace.close();
  }
};

/**
 * Gives the manifest of a copied tree what it would know of the original: its place, and the stat key of each
 * file that has its size. (A file may keep its size and time, and have lost its bytes.)
 */
export const trustCopy = (folder: string): void => {
  const path = join(folder, 'data/build.db');
  if (!existsSync(path)) return;
  const manifest = new (loadDriver())(path);
  try {
    const hasState = manifest.prepare("SELECT 1 FROM sqlite_master WHERE name = 'state'").get();
    if (hasState === undefined) return;
    const content = join(folder, CONTENT);
    const root = existsSync(content) ? realpathSync(content) : content;
    const row = manifest.prepare('SELECT * FROM state').get() as StateRow & { sum: number | null };
    // One that was not whole stays so.
    const sum = row.sum === sumOfState(row) ? sumOfState({ ...row, root }) : row.sum;
    manifest.prepare('UPDATE state SET root = ?, sum = ?').run(root, sum);
    const files = manifest.prepare('SELECT path, size FROM files').all();
    const setStatKey = manifest.prepare('UPDATE files SET stamp = ? WHERE path = ?');
    for (const { path: name, size } of files as { path: string; size: number }[]) {
      const stat = statSync(join(content, name), { bigint: true, throwIfNoEntry: false });
      if (stat !== undefined && Number(stat.size) === size) setStatKey.run(statKeyOf(stat), name);
    }
  } finally {
    manifest.close();
  }
};
