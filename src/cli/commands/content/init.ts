// prepress init: a new database, with the sample publication unless it is to be empty; with a folder, a new project.

import { cpSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import * as z from 'zod';
import packageFacts from '../../../../package.json' with { type: 'json' };
import { PrepressError } from '../../../base/errors.ts';
import { FILE_FAILED, withDiskErrors } from '../../../base/files/disk-error.ts';
import { makeFolder } from '../../../base/files/make-folder.ts';
import { readJsonFile } from '../../../base/files/read-json.ts';
import { NODE_20_DRIVER, OPTIONAL_PACKAGES } from '../../../base/optional-packages.ts';
import { shellWord } from '../../../base/text/shell-word.ts';
import { packageFolder } from '../../../pages/eleventy/package-folder.ts';
import { dataPathsOf } from '../../../settings/data-paths.ts';
import { isHome, NO_HOME } from '../../../settings/schemas.ts';
import { CONFIG_FILE } from '../../../settings/settings-file.ts';
import type { Run } from '../command.ts';
import { noteSiteUrl } from '../note-site-url.ts';

export const init: Run = async ({ config, report, args, options }) => {
  const isEmpty = options.empty === true;
  const [folder] = args;
  if (folder !== undefined) {
    const { siteUrl } = config;
    const nodeVersion = process.versions.node;
    const program = packageFolder();
    const made = createProject(folder, { isEmpty, siteUrl, nodeVersion, program });
    report.print(`Created ${folder} with ${made.join(', ')}.`);
    const fill = isEmpty ? ' && npx prepress init --empty' : '';
    const enter = resolve(folder) === process.cwd() ? '' : `cd ${shellWord(folder)} && `;
    noteSiteUrl(report, siteUrl);
    report.print(`Next: ${enter}npm install${fill} && npm start`);
    report.data({ folder: resolve(folder), made });
    return 0;
  }
  const { database, postgres } = dataPathsOf(config);
  if (postgres !== null) {
    const sentence =
      '"prepress init" makes a SQLite file, but the setting database names PostgreSQL: make a file with --database FILE, then run "prepress database move FILE".';
    throw new PrepressError('USAGE', sentence);
  }
  // A project is made where no SQLite driver is installed yet.
  const { createDatabase } = await import('../../../serve/workspace/create-database.ts');
  if (!(await createDatabase(config, { isEmpty, siteUrl: config.siteUrl }))) {
    const hint = 'If it is one of Prepress, use it as it is; else name another with --database.';
    throw new PrepressError('FILE_EXISTS', `The database ${database} already exists.`, { hint });
  }
  const content = isEmpty ? 'empty' : 'with a sample publication';
  const named =
    typeof options.database === 'string' ? ` --database ${shellWord(options.database)}` : '';
  report.print(
    `Created ${database}, ${content}. Next: npx prepress build${named}, or npx prepress serve${named}.`,
  );
  noteSiteUrl(report, config.siteUrl);
  report.data({ database });
  return 0;
};

type ProjectOptions = {
  readonly isEmpty: boolean;
  readonly siteUrl?: string | undefined;
  readonly nodeVersion: string;
  /** The folder of this program: in a clone, or installed. */
  readonly program: string;
};

/** Paths of what was made, in the folder. Throws FILE_EXISTS when something is there already. */
export const createProject = (folder: string, options: ProjectOptions): string[] => {
  if (/^https?:/i.test(folder)) {
    const sentence = `Name a folder, got "${folder}". The address of the site follows --site-url.`;
    throw new PrepressError('USAGE', sentence);
  }
  if (isHome(folder)) throw new PrepressError('USAGE', `The folder ${NO_HOME}, got "${folder}".`);
  const home = resolve(folder);
  if (existsSync(home) && readdirSync(home).length > 0) {
    const hint = 'Name a folder that is empty or does not exist.';
    throw new PrepressError('FILE_EXISTS', `The folder ${home} is not empty.`, { hint });
  }
  const files = filesOf(basename(home), options);
  const own = packageFolder();
  withDiskErrors({ ...FILE_FAILED, place: home }, () => {
    makeFolder(home);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(home, name), text);
    cpSync(join(own, 'packaging/project'), home, { recursive: true });
    cpSync(join(own, 'content'), join(home, 'content'), { recursive: true });
  });
  return [...Object.keys(files), ...readdirSync(join(own, 'packaging/project')), 'content/'].sort();
};

const filesOf = (name: string, options: ProjectOptions): Readonly<Record<string, string>> => ({
  'package.json': json(manifestOf(name, options)),
  [CONFIG_FILE]: json({ siteUrl: options.siteUrl, site: true }),
  '.gitignore': 'node_modules/\ndata/\nmedia/\noutput/\n',
});

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const isInstalled = (program: string): boolean => program.split(sep).includes('node_modules');

/** What npm keeps of what it installed. */
const installed = z.object({
  packages: z.record(z.string(), z.object({ resolved: z.string().optional() })),
});

/** Where npm finds the program: in the clone that it runs from, in the file that it was installed from, or in the registry. */
const ownSpec = (program: string): string => {
  if (!isInstalled(program)) return `file:${program}`;
  const modules = dirname(program);
  const lock = readJsonFile(installed, join(modules, '.package-lock.json'));
  const resolved = lock?.packages[`node_modules/${basename(program)}`]?.resolved ?? '';
  return resolved.startsWith('file:')
    ? `file:${resolve(dirname(modules), resolved.slice('file:'.length))}`
    : `^${packageFacts.version}`;
};

const manifestOf = (name: string, { isEmpty, nodeVersion, program }: ProjectOptions): object => {
  const spec = ownSpec(program);
  // A clone has its driver.
  const isOld = Number(nodeVersion.split('.')[0]) < 22 && isInstalled(program);
  return {
    name: packageNameOf(name),
    private: true,
    type: 'module',
    scripts: {
      start: isEmpty ? 'prepress serve' : 'prepress serve --sample',
      build: 'prepress build',
      verify: 'prepress verify',
      deploy: 'prepress deploy',
    },
    dependencies: {
      '@11ty/eleventy': OPTIONAL_PACKAGES['@11ty/eleventy'],
      ...(isOld && { [NODE_20_DRIVER.name]: NODE_20_DRIVER.spec }),
      'prepress-content': spec,
    },
    allowScripts: { esbuild: true, ...(isOld && { 'better-sqlite3': true }) },
  };
};

/** npm takes small letters, digits and a few signs. */
const packageNameOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9-]/g, '-')
    .replace(/^-+/, '') || 'publication';
