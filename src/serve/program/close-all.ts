// Ends what a program has open.

type Closing = { readonly close: () => Promise<unknown> };

/** In this order, all of it: what stays open would keep the program from ending. Throws what the first that fails throws. */
export const closeAll = async (...open: readonly Closing[]): Promise<void> => {
  const [first, ...others] = open;
  if (first === undefined) return;
  try {
    await first.close();
  } catch (error) {
    await closeAll(...others).catch(() => undefined);
    throw error;
  }
  await closeAll(...others);
};
