// What every command has in common: the settings that can be named on its line, the report, and the
// exit code. Only here and in main.ts are argv and the exit code touched.
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { PrepressError } from '../../base/errors.ts';
import { findProjectSettings } from '../../pages/eleventy/project.ts';
import { besideServer } from '../../publish/cycle/server-settings.ts';
import { openReadable } from '../../serve/workspace/readable-data.ts';
import { createReport, type Report, reportError } from '../../serve/workspace/report.ts';
import { loadConfig } from '../../settings/load.ts';
import type { Config } from '../../settings/settings.ts';
import { settingsPathOf } from '../../settings/settings-file.ts';

export type GlobalOptions = {
  readonly database?: string;
  readonly output?: string;
  readonly basePath?: string;
  readonly siteUrl?: string;
  readonly host?: string;
  readonly port?: string;
  readonly follow?: string;
  readonly config?: string;
  readonly json?: boolean;
};

/**
 * The exit code. Undefined of a program that ran until it was told to end: what it could not print makes
 * no failure of that.
 */
export type Run = (context: {
  readonly config: Config;
  /** The settings as they were read, where a command that only reads works on a copy of the data folder. */
  readonly ownConfig: Config;
  /** Reads the settings again, as they are now. Throws CONFIG_INVALID. */
  readonly reload: () => Promise<Config>;
  /** Absolute path of the settings file, which may be absent. */
  readonly settingsFile: string;
  readonly report: Report;
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
}) => Promise<number | undefined>;

/** `reads`: it changes nothing in the data folder that it could not do without. */
export type Work = { readonly run: Run; readonly reads?: boolean };

export const withGlobalOptions = (command: Command): Command =>
  command
    .option('--database <file>', 'the publishing database')
    .option('--output <folder>', 'output folder')
    .option('--base-path <path>', 'path before /content and /admin, such as /blog')
    .option('--config <file>', 'settings file (default: prepress.config.json)')
    .option('--json', 'print the result as JSON');

const withoutAbsent = (flags: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));

/** A program that was told to end is done with its work; a log that nobody reads is not waited for. */
const UNREAD_LOG_MS_MAX = 2_000;

const exitSoon = (): void => {
  setTimeout(() => process.exit(), UNREAD_LOG_MS_MAX).unref();
};

/** Runs a command's work and sets the exit code: 0 done, 1 failed, 2 bad usage. */
export const action =
  ({ run, reads = false }: Work) =>
  async (...parameters: unknown[]): Promise<void> => {
    const command = parameters.at(-1) as Command;
    const options = command.opts<GlobalOptions & Record<string, unknown>>();
    const json = options.json === true;
    const report = createReport({ json });
    try {
      const { database, output, basePath, siteUrl, host, port, follow } = options;
      const flags = withoutAbsent({ database, output, basePath, siteUrl, host, port, follow });
      const project = await findProjectSettings();
      const file = options.config ?? project?.configFile;
      const isServer = command.options.some(({ long }) => long === '--port');
      const reload = async (): Promise<Config> => {
        const config = loadConfig({ flags: { ...project?.settings, ...flags }, file });
        return isServer ? config : besideServer(config);
      };
      const config = await reload();
      const readable = reads ? openReadable(config) : null;
      const code = await run({
        config: readable?.config ?? config,
        ownConfig: config,
        reload,
        settingsFile: settingsPathOf(file),
        report,
        args: command.args,
        options,
      }).finally(readable?.close);
      process.exitCode = code ?? 0;
      if (code === 0) await report.finish();
      if (code === undefined) exitSoon();
    } catch (error) {
      report.endProgress();
      const known = options.config === undefined ? error : besideConfig(error, options.config);
      process.exitCode = reportError(known, { json, command: fullNameOf(command) });
    } finally {
      report.endProgress();
    }
  };

/** Whoever names the settings of another folder is not told to make a database in this one. */
const besideConfig = (error: unknown, file: string): unknown => {
  const folder = dirname(settingsPathOf(file));
  const isMissing = error instanceof PrepressError && error.code === 'DATABASE_MISSING';
  if (!isMissing || folder === process.cwd()) return error;
  const hint = `Relative paths are those of the folder that a command runs in: run it in ${folder}.`;
  return new PrepressError(error.code, error.message, { hint, cause: error });
};

/** Without that of the program. */
export const fullNameOf = (command: Command): string =>
  command.parent?.parent ? `${fullNameOf(command.parent)} ${command.name()}` : command.name();
