// The transaction of each save that changes content: one action, refused while a source is followed.
import { createId } from '../../base/ids.ts';
import { refuseWhileFollowing } from '../../publication/store/import/following.ts';
import type { Writer } from '../../publication/store/store.ts';
import type { UseCaseContext } from './context.ts';

/** Throws SOURCE_FOLLOWED. */
export const saveContent = <T>(
  { store }: Pick<UseCaseContext, 'store'>,
  nowMs: number,
  save: (writer: Writer) => Promise<T>,
): Promise<T> =>
  store.write(
    async (writer) => {
      await refuseWhileFollowing(writer);
      return save(writer);
    },
    { action: createId(nowMs) },
  );
