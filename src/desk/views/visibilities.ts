// Who may read a post: the same words where it is chosen and where it is listed.

export const VISIBILITIES = [
  ['public', 'Everyone'],
  ['members', 'Members'],
  ['paid', 'Paying members'],
  ['tiers', 'Some tiers'],
] as const;

/** Words of a stored value; one that is not known stands for itself. */
export const visibilityWords = (visibility: string): string =>
  VISIBILITIES.find(([value]) => value === visibility)?.[1] ?? visibility;
