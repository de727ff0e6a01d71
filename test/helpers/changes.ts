// Reads the change log of a publication at once.
import type { Change, ChangeWithOld, Snapshot } from '../../src/publication/snapshot/snapshot.ts';

export const changesOf = async (
  snapshot: Pick<Snapshot, 'changesAfter'>,
  after = 0,
): Promise<Change[]> => {
  const changes: Change[] = [];
  for await (const part of snapshot.changesAfter(after)) changes.push(...part);
  return changes;
};

export const changesWithOld = async (
  snapshot: Pick<Snapshot, 'changesAfter' | 'oldRow'>,
  after = 0,
): Promise<ChangeWithOld[]> =>
  (await changesOf(snapshot, after)).map((change) => ({
    ...change,
    old: snapshot.oldRow(change.seq),
  }));
