// The file mode creation mask that the program was started with, before it sets its own.
import { isMainThread } from 'node:worker_threads';

/** The mask that commands of the user's own are given. */
export const INHERITED_UMASK = process.umask();

const OTHERS_READ = 0o055;

/**
 * What is served is read by other users, such as nginx', whatever the umask of this one. What is private is made with a
 * mode of its own. A worker thread cannot change the mask of its process.
 */
export const letOthersRead = (): void => {
  if (isMainThread) process.umask(INHERITED_UMASK & ~OTHERS_READ);
};
