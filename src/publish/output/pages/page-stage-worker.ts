// The thread that writes pages into the hidden folder, each as it comes.
import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { hashOfBytes } from '../../../base/files/file-hash.ts';
import { makeFolder } from '../../../base/files/make-folder.ts';
import { serveThread } from '../../../base/threads/serve-thread.ts';

export type StagedText = { readonly file: string; readonly text: string };

const folders = new Set<string>();

/** Answers the SHA-256. */
serveThread(({ file, text }: StagedText): string => {
  const bytes = Buffer.from(text);
  const parent = dirname(file);
  if (!folders.has(parent)) makeFolder(parent);
  folders.add(parent);
  writeFileSync(file, bytes);
  return hashOfBytes(bytes);
});
