// The version of Ghost whose clients are served, and whose shape records have.
export const GHOST_VERSION = '6.65';
