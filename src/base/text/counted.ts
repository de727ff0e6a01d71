// Numbers as people read them: `1 post`, `1,200 posts`.
const NUMBERS = new Intl.NumberFormat('en');

export const shown = (count: number): string => NUMBERS.format(count);

/** The number with its noun; `plural` where that is not the noun with an s. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${shown(count)} ${count === 1 ? noun : plural}`;
