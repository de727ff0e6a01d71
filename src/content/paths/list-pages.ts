// How many pages of each list are files. Where a host runs no code, a client that follows `next` finds every page as
// a file; where all hosts answer queries themselves, or only the companion server serves, the first page is enough.

export type ListPages = number | 'all';

type Served = {
  /** Of each host of the setting `hosts`: its own code answers every query from the packed tree. */
  readonly answersAll: readonly boolean[];
  /** Something is deployed, to whatever host. */
  readonly isDeployed: boolean;
};

/** `auto`: all where a host runs no code, and where nobody says what the targets of a deploy are; else the first. */
export const resolveListPages = (
  pages: ListPages | 'auto',
  { answersAll, isDeployed }: Served,
): ListPages => {
  if (pages !== 'auto') return pages;
  if (answersAll.length === 0) return isDeployed ? 'all' : 1;
  return answersAll.every(Boolean) ? 1 : 'all';
};
