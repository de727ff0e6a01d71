// prepress init: a new database, with the sample publication unless it is to be empty; with a folder, a new project.
import { resolve } from 'node:path';
import { PrepressError } from '../../base/errors.ts';
import { packageFolder } from '../../pages/eleventy/package-folder.ts';
import { dataPathsOf } from '../../settings/data-paths.ts';
import type { Run } from './command.ts';
import { createProject } from './create-project.ts';

export const init: Run = async ({ config, report, args, options }) => {
  const isEmpty = options.empty === true;
  const [folder] = args;
  if (folder !== undefined) {
    const { siteUrl } = config;
    const nodeVersion = process.versions.node;
    const program = packageFolder();
    const made = createProject(folder, { isEmpty, siteUrl, nodeVersion, program });
    report.say(`Created ${folder} with ${made.join(', ')}.`);
    const fill = isEmpty ? ' && npx prepress init --empty' : '';
    report.say(`Next: cd ${folder} && npm install${fill} && npm start`);
    report.data({ folder: resolve(folder), made });
    return 0;
  }
  const { database } = dataPathsOf(config);
  // A project is made where no SQLite driver is installed yet.
  const { createDatabase } = await import('../../serve/workspace/create-database.ts');
  if (!(await createDatabase(config, { isEmpty, siteUrl: config.siteUrl }))) {
    throw new PrepressError('FILE_EXISTS', `The database ${database} exists already.`);
  }
  const content = isEmpty ? 'empty' : 'with a sample publication';
  report.say(`Created ${database}, ${content}. Next: npx prepress build, or npx prepress serve.`);
  report.data({ database });
  return 0;
};
