// Opens a workspace for the length of one piece of work.
import { closing } from '../../base/closing.ts';
import type { Config } from '../../settings/settings.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

export const withWorkspace = async <T>(
  config: Config,
  work: (workspace: Workspace) => Promise<T>,
): Promise<T> => closing(await openWorkspace(config), work);
