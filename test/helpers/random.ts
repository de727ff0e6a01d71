// Random numbers that can be had again: the seed is printed by the test that uses it.

export const SEED = Number(process.env.PREPRESS_SEED ?? Date.now() % 1_000_000);

/** A small generator of numbers in [0, 1): the same seed, the same run. */
export const createRandom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};
