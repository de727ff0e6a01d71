/** The file mode creation mask that the program was started with, which commands of the user's own get. */
export const GIVEN_UMASK = process.umask();
