// What the log of a program that runs for long says of each build. Rows that cannot be rendered are named again only
// when they are others, or when files changed; that the clock is behind is said once an hour.
import type { AfterBuild } from '../../publish/after-build/after-build.ts';
import type { PublishReport } from '../../publish/cycle/publish-once.ts';
import type { Logger } from './server-log.ts';

const HOUR_MS = 3_600_000;

export const createBuildLog = (
  logger: Logger,
  after: Pick<AfterBuild, 'failure' | 'toReload'>,
): ((result: PublishReport) => void) => {
  let namedRows = '';
  const logClock = createClockLog(logger);
  return ({ files, generation, kind, milliseconds, queued, ...said }) => {
    const { setAside, clockWarning, warnings } = said;
    const hasChanged = files.written + files.removed > 0;
    if (hasChanged) {
      const counts = { written: files.written, removed: files.removed, queued };
      logger.info({ generation, kind, milliseconds, ...counts }, 'published');
    }
    const rows = setAside.join('\n');
    if (rows !== '' && (hasChanged || rows !== namedRows)) {
      logger.warn({ rows: setAside }, 'rows that cannot be rendered');
    }
    namedRows = rows;
    logClock(clockWarning);
    const isSaid = new Set([...setAside, clockWarning]);
    for (const warning of warnings) if (!isSaid.has(warning)) logger.warn(warning);
    const failure = after.failure();
    if (failure !== null) logger.error({ err: failure }, 'host files were not written');
    const hosts = after.toReload();
    if (hosts.length > 0 && hasChanged) {
      logger.warn({ hosts }, 'reload these hosts: their rules changed');
    }
  };
};

const createClockLog = (logger: Logger): ((warning: string | null) => void) => {
  let saidAt = Number.NEGATIVE_INFINITY;
  return (warning) => {
    if (warning === null) saidAt = Number.NEGATIVE_INFINITY;
    else if (performance.now() - saidAt >= HOUR_MS) {
      saidAt = performance.now();
      logger.warn(warning);
    }
  };
};
