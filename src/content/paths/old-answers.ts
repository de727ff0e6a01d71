// Files of earlier versions, which kept answers to queries as files. The next build removes them, here and at targets: they
// may name posts that were taken back since. Runtime-neutral.

const OLD_ANSWER =
  /^(?:posts|pages|tags|authors)\/q\/[a-z0-9_-]+\/(?:[^/\0]+\/)?(?:index|page-[1-9][0-9]*)\.json$/;

/** `file` is relative to the content folder. */
export const isOldAnswer = (file: string): boolean => OLD_ANSWER.test(file);
