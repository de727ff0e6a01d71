// The file mode creation mask that the program was started with, before it sets its own.

/** The mask that commands of the user's own are given. */
export const GIVEN_UMASK = process.umask();
