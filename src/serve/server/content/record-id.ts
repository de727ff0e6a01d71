// The id of the record that a file by slug belongs to: which names lead to a record is decided by files alone, so that
// an address finds the same record whatever is asked of it.
import type { OpenFile } from './file-cache.ts';

/** It stands among the first keys; a quotation mark inside of a text has a backslash before it. */
const ID = /"id":"([0-9a-f]{24})"/;
const HEAD_BYTES = 16 * 1024;

export const readId = async (
  read: (file: string) => Promise<OpenFile | null>,
  file: string,
): Promise<string | null> => {
  const opened = await read(file);
  if (opened === null) return null;
  try {
    return ID.exec(await headOf(opened))?.[1] ?? null;
  } finally {
    await opened.handle?.close();
  }
};

const headOf = async ({ body, handle }: OpenFile): Promise<string> => {
  if (body !== null) return body.toString('latin1', 0, HEAD_BYTES);
  const head = Buffer.alloc(HEAD_BYTES);
  const read = await handle?.read(head, 0, HEAD_BYTES, 0);
  return head.toString('latin1', 0, read?.bytesRead ?? 0);
};
