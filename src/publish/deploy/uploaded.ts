// What earlier runs carried to a target besides the content tree: pages for people, and what the user put into the output.
// Only of these is it known that they may be removed there, and by their stat keys that they need not be carried again. A
// record beside the database; one that cannot be read counts as empty, and what it held stays.
import * as z from 'zod';
import { readJsonFile } from '../../base/files/read-json.ts';
import { writeWholeBeside } from '../../base/files/write-whole.ts';

/** Path -> stat key of the file as it was carried; null: it may have been put, or not; GONE. */
export type UploadedFiles = ReadonlyMap<string, string | null>;

/** It was removed; an older copy of the target may still have it. */
const GONE = '';
const GONE_MAX = 10_000;

/** Those that may stand at a target: all of them, if it may be an older copy. */
export const standing = (files: UploadedFiles, isOther: boolean): UploadedFiles =>
  new Map([...files].filter(([, statKey]) => isOther || statKey !== GONE));

/** With those of earlier runs that are gone, the newest of them. */
export const withGone = (files: UploadedFiles, earlier: UploadedFiles): UploadedFiles => {
  const before = [...earlier].sort(([, a], [, b]) => Number(b === GONE) - Number(a === GONE));
  const gone = before.filter(([path]) => !files.has(path)).slice(-GONE_MAX);
  return new Map([...gone.map(([path]) => [path, GONE] as const), ...files]);
};

export type Uploaded = {
  readonly files: () => UploadedFiles;
  /** Called before the first file is put, with all that may stand there from then on, and at the end. */
  readonly save: (files: UploadedFiles) => Promise<void>;
};

export const openUploaded = (file: string): Uploaded => {
  let known: UploadedFiles = new Map(Object.entries(readJsonFile(schema, file) ?? {}));
  return {
    files: () => known,
    save: async (files) => {
      await writeWholeBeside(file, JSON.stringify(Object.fromEntries(files)));
      known = files;
    },
  };
};

const schema = z.record(z.string(), z.string().nullable());
