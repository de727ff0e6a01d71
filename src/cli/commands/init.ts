// prepress init: a new database, with the sample publication unless it is to be empty.
import { existsSync } from 'node:fs';
import { PrepressError } from '../../base/errors.ts';
import { siteUrlOf } from '../../build/output-settings.ts';
import type { Config } from '../../config/settings.ts';
import { importSample } from '../../importers/sample.ts';
import { dataPathsOf } from '../../publisher/paths.ts';
import type { Run } from '../command.ts';
import { openWorkspace } from '../workspace.ts';

export const init: Run = async ({ config, report, options }) => {
  const { database } = dataPathsOf(config);
  if (existsSync(database)) {
    throw new PrepressError('FILE_EXISTS', `The database ${database} exists already.`);
  }
  await createDatabase(config, { isEmpty: options.empty === true });
  const content = options.empty === true ? 'empty' : 'with a sample publication';
  report.say(`Created ${database}, ${content}. Next: prepress build, or prepress serve.`);
  report.data({ database });
  return 0;
};

export const createDatabase = async (
  config: Config,
  { isEmpty }: { readonly isEmpty: boolean },
): Promise<void> => {
  const workspace = await openWorkspace(config, { create: true });
  try {
    if (!isEmpty) await importSample(workspace.store, siteUrlOf(config, null));
  } finally {
    await workspace.close();
  }
};
