// What the log of a program that runs for long says of each build. Rows that cannot be rendered are named again only
// when they are others, or when files changed.
import type { AfterBuild } from '../after-build/after-build.ts';
import type { PublishReport } from '../publisher/publish-once.ts';
import type { Logger } from './server-log.ts';

export const createBuildLog = (
  logger: Logger,
  after: Pick<AfterBuild, 'failure' | 'toReload'>,
): ((result: PublishReport) => void) => {
  let namedRows = '';
  return ({ files, generation, kind, milliseconds, queued, setAside, warnings }) => {
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
    for (const warning of warnings) if (!setAside.includes(warning)) logger.warn(warning);
    const failure = after.failure();
    if (failure !== null) logger.error({ err: failure }, 'host files were not written');
    const hosts = after.toReload();
    if (hosts.length > 0 && hasChanged) {
      logger.warn({ hosts }, 'hosts to be reloaded with new rules');
    }
  };
};
