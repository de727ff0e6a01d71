// Folders of the publication's own, which take nothing that a command writes for somebody else.
import { PrepressError } from '../../base/errors.ts';
import { isInside, realPathOf } from '../../base/files/inside.ts';

type Refusal = {
  /** Such as "is served to readers". */
  readonly reason: string;
  /** What another folder is to be named for. */
  readonly what: string;
};

/** Throws USAGE for one of the folders or what is in it, through links, too. */
export const throwIfInside = (
  path: string,
  folders: readonly string[],
  { reason, what }: Refusal,
): void => {
  const real = realPathOf(path);
  if (!folders.some((one) => isInside(real, realPathOf(one)))) return;
  throw new PrepressError('USAGE', `${real} ${reason}: name another folder for ${what}.`);
};

export const SERVED = 'is served to readers';
