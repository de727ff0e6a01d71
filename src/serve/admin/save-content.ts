// The transaction of each save that changes content: one action, refused while a source is followed.
import { createId } from '../../base/ids.ts';
import { refuseWhileFollowing } from '../../publication/store/import/following.ts';
import type { Transaction } from '../../publication/store/store.ts';
import type { UseCaseContext } from './use-case-context.ts';

type SaveContext = Pick<UseCaseContext, 'store'> & {
  /** Of several saves that are one action. */
  readonly action?: string;
};

/** Throws SOURCE_FOLLOWED. */
export const saveContent = <T>(
  { store, action }: SaveContext,
  nowMs: number,
  save: (tx: Transaction) => Promise<T>,
): Promise<T> =>
  store.write(
    async (tx) => {
      await refuseWhileFollowing(tx);
      return save(tx);
    },
    { action: action ?? createId(nowMs) },
  );
