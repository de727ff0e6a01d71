// The names that files and folders of the media folder have in the output: their own, and the other normal form of Unicode, in
// which a text may have them. Hosts compare bytes, so both stand there.
import { join } from 'node:path';
import { findStat } from '../../../base/files/stat-key.ts';
import { FILE_NAME_BYTES_MAX } from '../../../base/limits.ts';
import { formsOf } from '../../../base/text/unicode-forms.ts';
import type { FolderContent, MediaFile } from '../../../publication/media/media-folder.ts';

export type PlaceableFile = MediaFile & {
  /** Its path in the media folder. */
  readonly from: string;
};

/** `from`: the path of the folder in the media folder. A name that something has there already is its own. */
export const inBothForms = (
  { files, folders, skipped }: FolderContent,
  from: string,
): { readonly files: readonly PlaceableFile[]; readonly folders: readonly string[] } => {
  const own = [...files.map(({ name }) => name), ...folders, ...skipped.map(({ path }) => path)];
  const taken = new Set(own);
  const namesOf = (name: string): string[] => [
    name,
    ...otherForm(name).filter((form) => !taken.has(form)),
  ];
  return {
    files: files.flatMap((file) =>
      namesOf(file.name).map((name) => ({ ...file, name, from: `${from}/${file.name}` })),
    ),
    folders: folders.flatMap(namesOf),
  };
};

/** Names of what is left out, and of what was placed in its place before it was. */
export const leftOutNames = ({ files, folders, skipped }: FolderContent): ReadonlySet<string> => {
  const placeable = new Set([...files.map(({ name }) => name), ...folders]);
  const names = skipped.flatMap(({ path }) => [path, ...otherForm(path)]);
  return new Set(names.filter((name) => !placeable.has(name)));
};

/** The path below `root` of a folder that is placed under this path; of a link there, also one that leads nowhere. */
export const findOnDisk = (root: string, path: string): string => {
  let found = '';
  for (const name of path.split('/')) {
    const isThere = (form: string): boolean => findStat(join(root, found, form)) !== undefined;
    const form = isPlain(name) ? name : ([name, ...otherForm(name)].find(isThere) ?? name);
    found = found === '' ? form : `${found}/${form}`;
  }
  return found;
};

/** None of a name that is in neither form, or whose other form is longer than file systems take. */
const otherForm = (name: string): readonly string[] => {
  const forms = isPlain(name) ? [] : formsOf(name);
  return forms.length === 2 ? forms.slice(1).filter(fits) : [];
};

const fits = (name: string): boolean => Buffer.byteLength(name) <= FILE_NAME_BYTES_MAX;

const isPlain = (name: string): boolean => /^[ -~]*$/.test(name);
