// Compares files with a target and carries what differs, without a record or a lock.
import { carry, findDifferences, isOfTree } from '../../src/publish/deploy/deploy.ts';
import type { DeployPlan, DeployTarget, LocalFile } from '../../src/publish/deploy/target.ts';

type Input = {
  readonly target: DeployTarget;
  readonly files: readonly LocalFile[];
  readonly content: string;
  /** What stands at the target was carried by an earlier run, whatever its shape. */
  readonly listsCarried?: boolean;
};

export const deploy = async (input: Input): Promise<DeployPlan> => {
  const { target, files, content, listsCarried = false } = input;
  const isRemovable = (path: string): boolean => listsCarried || isOfTree(path, content);
  return carry({ ...(await findDifferences({ target, files, isRemovable })), target, content });
};
