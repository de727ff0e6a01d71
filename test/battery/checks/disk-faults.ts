// Builds over a tree that stands, while the disk fails in a chosen way: the build says why and ends with 1,
// or gets by without what failed; every file holds its old bytes or its new ones, whole; and the next build
// leads to the tree of a clean one.
import { join } from 'node:path';
import { expect } from 'vitest';
import type { SqliteConnection } from '../../../src/base/sqlite/driver.ts';
import { cleanTree, expectTree } from '../../helpers/clean-tree.ts';
import { CONTENT, openShell } from '../../helpers/serve.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { readTree } from '../../helpers/tree.ts';
import { checkTree } from '../../helpers/tree-reader.ts';
import { type Ended, mustRun, type Start } from '../run-program.ts';
import { createSmallPublication, editBackOrForth } from '../small-publication.ts';

export type FaultCount = { builds: number; refused: number };

export type FaultScene = {
  readonly folder: string;
  readonly content: string;
  readonly start: Start;
  readonly shell: SqliteConnection;
  /** The tree before and after each odd edit. */
  readonly back: ReadonlyMap<string, string>;
  readonly forth: ReadonlyMap<string, string>;
  round: number;
};

/** `prepare` comes before anything is built: it may mount something where the output will be. */
export const createFaultScene = async (
  program: string,
  prepare: (folder: string) => void = () => undefined,
): Promise<FaultScene> => {
  const folder = temporaryFolder();
  await createSmallPublication(program, folder);
  prepare(folder);
  const shell = openShell(folder);
  const start: Start = { program, folder, args: ['build'] };
  const back = await cleanTree(shell);
  await mustRun(start);
  editBackOrForth(shell, 0);
  const forth = await cleanTree(shell);
  await mustRun(start);
  return { folder, content: join(folder, CONTENT), start, shell, back, forth, round: 1 };
};

export type FaultOptions = {
  /** Takes the fault away. */
  readonly heal?: () => void;
  /** Node.js itself may be what cannot start, with words of its own. */
  readonly mayFailToStart?: boolean;
};

/** Edits, builds by `build`, which lets something fail, checks what is there, and builds again. */
export const buildAmidFaults = async (
  scene: FaultScene,
  build: (start: Start) => Promise<Ended>,
  { heal = () => undefined, mayFailToStart = false }: FaultOptions = {},
): Promise<{ readonly isRefused: boolean }> => {
  const { content, start, shell } = scene;
  const goal = scene.round % 2 === 0 ? scene.forth : scene.back;
  editBackOrForth(shell, scene.round);
  scene.round += 1;
  const ended = await build(start);
  expectClearEnd(ended, mayFailToStart);
  expect(checkTree(content)).toEqual([]);
  expectOldOrNew(scene);
  if (ended.code === 0) expectTree(content, goal);
  heal();
  await mustRun(start);
  expectTree(content, goal);
  return { isRefused: ended.code !== 0 };
};

/** Exit code 0 or 1, never a signal; and a failure says why in a sentence, with no stack below it. */
const expectClearEnd = ({ code, signal, stdout, stderr }: Ended, mayFailToStart: boolean): void => {
  if (mayFailToStart && code !== 0 && !stderr.includes('prepress:')) return;
  expect({ code, signal }, stderr).toEqual({ code: code === 0 ? 0 : 1, signal: null });
  if (code === 0) return;
  expect(stderr, stdout).toMatch(/^.{20,}$/m);
  expect(stderr).not.toMatch(/^\s+at |Something went wrong/m);
};

const expectOldOrNew = ({ content, back, forth }: FaultScene): void => {
  const strange = [...readTree(content)].filter(
    ([name, text]) => !name.startsWith('.') && back.get(name) !== text && forth.get(name) !== text,
  );
  expect(strange.map(([name]) => name)).toEqual([]);
  const lasting = [...back.keys()].filter((name) => forth.has(name));
  const tree = readTree(content);
  expect(lasting.filter((name) => !tree.has(name))).toEqual([]);
};
