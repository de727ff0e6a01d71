// Small files that programs keep for themselves: whole and durable, or as they were, and for their owner only.
// Several programs may write the same one: each writes a draft of its own, and the last to rename it wins.
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { makePrivateFile } from './private-files.ts';
import { isAnotherRunning } from './running-process.ts';

/** Replaces the text of a file; its folder is made when it is absent. */
export const writeWhole = (path: string, text: string): void => {
  const draft = beginDraft(path);
  try {
    writeFileSync(draft, text, { flush: true });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
};

/** The same for a text that may be long: the disk is waited for beside other work. */
export const writeWholeBeside = async (path: string, text: string): Promise<void> => {
  const draft = beginDraft(path);
  try {
    await writeFile(draft, text, { flush: true });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
};

/** An empty file of ours beside the one that it is to replace. */
const beginDraft = (path: string): string => {
  const draft = `${path}.${process.pid}.new`;
  makeFolder(dirname(path), { isPrivate: true });
  removeLeftovers(path);
  makePrivateFile(draft);
  return draft;
};

/** Drafts of programs that were killed, which may have other rights. */
const removeLeftovers = (path: string): void => {
  const [folder, start] = [dirname(path), `${basename(path)}.`];
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(start)) continue;
    const [draft, writer] = /^(?:(\d+)\.)?new$/.exec(name.slice(start.length)) ?? [];
    if (draft === undefined || (writer !== undefined && isAnotherRunning(Number(writer)))) continue;
    rmSync(join(folder, name), { force: true });
  }
};
