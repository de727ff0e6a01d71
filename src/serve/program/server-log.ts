// The log of a program that runs for long: lines for people on a terminal, JSON for what reads a pipe.
import { PrepressError } from '../../base/errors.ts';
import type { Config } from '../../settings/settings.ts';
import { createLogger, toReadable } from '../server/log/logger.ts';
import type { Report } from '../workspace/report.ts';
import type { RestartingRun } from './restart-on-change.ts';

export type Logger = ReturnType<typeof createLogger>;

export const createLog = ({ logLevel }: Config, report: Report): Logger =>
  process.stderr.isTTY
    ? createLogger(logLevel, toReadable(report.endProgress))
    : createLogger(logLevel);

type ReloadLogging = Pick<RestartingRun, 'onReloaded' | 'onRefused' | 'onRecovered'>;

export const reloadLogging = (logger: Logger): ReloadLogging => ({
  onReloaded: (settings) => logger.info({ settings }, 'settings reloaded'),
  onRefused: (error) => {
    const details = error instanceof PrepressError ? error.details : null;
    const more = details === null ? {} : { details };
    logger.error({ err: error, ...more }, 'the settings were not reloaded');
  },
  onRecovered: () => logger.info('started again with the settings as they were'),
});
