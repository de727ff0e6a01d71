// Who may read a post: the same words where it is chosen and where it is listed.

const VISIBILITIES = [
  ['public', 'Everyone'],
  ['members', 'Members'],
  ['paid', 'Paying members'],
  ['tiers', 'Some tiers'],
] as const;

/** What may be chosen, as value and words; what is stored, too, where it is none of them. */
export const visibilitiesFor = (stored: string | null): readonly (readonly [string, string])[] => {
  const isKnown = stored === null || VISIBILITIES.some(([value]) => value === stored);
  return isKnown ? VISIBILITIES : [...VISIBILITIES, [stored, stored]];
};

/** Words of a stored value; one that is not known stands for itself. */
export const visibilityWords = (visibility: string): string =>
  VISIBILITIES.find(([value]) => value === visibility)?.[1] ?? visibility;
