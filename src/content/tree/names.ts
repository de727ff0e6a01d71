// Names of the packed tree's files, relative to the content folder. Runtime-neutral: hosts' rules and the executor use
// them as well as the programs that build.

export const PACKED_FOLDER = 'packed';
/** The one of its files that changes. */
export const PACKED_ROOT_FILE = `${PACKED_FOLDER}/root.json`;

export const blobFile = (name: string): string =>
  `${PACKED_FOLDER}/${name.slice(0, 2)}/${name.slice(2)}`;

const BLOB = /^packed\/[0-9a-f]{2}\/[0-9a-f]{30}\.(?:txt|bin)$/;

/** True for files of the packed tree that are named after their bytes. */
export const isBlob = (file: string): boolean => BLOB.test(file);
