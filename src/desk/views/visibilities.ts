// Who may read a post: the same words where it is chosen and where it is listed.

const VISIBILITIES = [
  ['public', 'Everyone'],
  ['members', 'Members'],
  ['paid', 'Paying members'],
  ['tiers', 'Some tiers'],
] as const;

/**
 * What may be chosen, as value and words. A post is for some tiers only where it is so already: which ones cannot be
 * chosen here.
 */
export const visibilitiesFor = (stored: string | null): (readonly [string, string])[] => {
  const choices = VISIBILITIES.filter(([value]) => value !== 'tiers' || stored === 'tiers');
  const isKnown = stored === null || choices.some(([value]) => value === stored);
  return isKnown ? choices : [...choices, [stored, stored]];
};

/** Words of a stored value; one that is not known stands for itself. */
export const visibilityWords = (visibility: string): string =>
  VISIBILITIES.find(([value]) => value === visibility)?.[1] ?? visibility;
