// Opens a workspace for the length of one piece of work.
import type { Config } from '../../settings/settings.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

export const withWorkspace = async <T>(
  config: Config,
  work: (workspace: Workspace) => Promise<T>,
): Promise<T> => {
  const workspace = await openWorkspace(config);
  try {
    return await work(workspace);
  } finally {
    await workspace.close();
  }
};
