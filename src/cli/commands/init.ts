// prepress init: a new database, with the sample publication unless it is to be empty.
import { PrepressError } from '../../base/errors.ts';
import { dataPathsOf } from '../../publisher/paths.ts';
import type { Run } from '../command.ts';
import { createDatabase } from '../create-database.ts';

export const init: Run = async ({ config, report, options }) => {
  const { database } = dataPathsOf(config);
  const isEmpty = options.empty === true;
  if (!(await createDatabase(config, { isEmpty, siteUrl: config.siteUrl }))) {
    throw new PrepressError('FILE_EXISTS', `The database ${database} exists already.`);
  }
  const content = isEmpty ? 'empty' : 'with a sample publication';
  report.say(`Created ${database}, ${content}. Next: prepress build, or prepress serve.`);
  report.data({ database });
  return 0;
};
