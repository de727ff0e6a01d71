// The manifest's one row of state: which state of the publication the tree shows, and whether a build is under way.
import type { SqliteConnection } from '../../../base/sqlite/driver.ts';
import type { Manifest, ManifestState } from '../manifest.ts';
import { type StateRow, sumOfState } from './manifest-sums.ts';

type SummedRow = StateRow & { readonly sum: number | null };

export const readState = (connection: SqliteConnection) => {
  const statement = connection.prepare(
    'SELECT root, fingerprint, epoch, seq, nonce, generation, sum FROM state WHERE id = 1',
  );
  const read = (): SummedRow => statement.get() as SummedRow;
  return {
    // One that is not as it was written says nothing of the tree, like that of a build that broke off.
    state: () => {
      const { sum, ...row } = read();
      if (sum !== sumOfState(row)) return null;
      const { root, fingerprint, epoch, seq, nonce, generation } = row;
      return { root, fingerprint, position: { epoch, seq, nonce }, generation };
    },
    generation: () => read().generation,
  } satisfies Pick<Manifest, 'state' | 'generation'>;
};

/** `open` says durably that the tree is about to change; `close` that it shows a state. */
export const writeState = (connection: SqliteConnection) => {
  const { state } = readState(connection);
  const set = connection.prepare(
    `UPDATE state SET root = @root, fingerprint = @fingerprint, epoch = @epoch, seq = @seq,
     nonce = @nonce, generation = @generation, sum = @sum WHERE id = 1`,
  );
  const unset = connection.prepare('UPDATE state SET sum = NULL WHERE id = 1');
  const close = ({ root, fingerprint, generation, position }: ManifestState): void => {
    const row = { root, fingerprint, generation, ...position };
    set.run({ ...row, sum: sumOfState(row) });
  };
  return {
    /** What it was until then. */
    open: (): ManifestState | null => {
      const before = state();
      unset.run();
      return before;
    },
    close,
    moveTo: (position: ManifestState['position'], generation?: number): void => {
      const before = state();
      if (before === null) return;
      close({ ...before, position, generation: generation ?? before.generation });
    },
  };
};
