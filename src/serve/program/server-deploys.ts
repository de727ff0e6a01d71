// The deploys of a server, as its log tells them.
import { outputSourceOf, targetsOf } from '../../publish/after-build/deploy-destinations.ts';
import type { PublishDeps } from '../../publish/cycle/publish-deps.ts';
import { type Deploys, startDeploys } from '../../publish/deploy/deploys.ts';
import type { Logger } from './server-log.ts';

export const startServerDeploys = (workspace: PublishDeps, logger: Logger): Deploys => {
  const { config } = workspace;
  const told = new Map<string, number>();
  return startDeploys({
    source: outputSourceOf(workspace),
    targets: targetsOf(workspace),
    waitMs: config.deployWaitMinutes * 60_000,
    listeners: {
      onCarried: (target, { written, removed, generation }, milliseconds) => {
        const isNews = told.get(target) !== generation || written.length + removed.length > 0;
        told.set(target, generation);
        if (!isNews) return;
        const counts = { written: written.length, removed: removed.length };
        logger.info({ target, generation, milliseconds, ...counts }, 'deployed');
      },
      onFailed: (target, error, nextTryMs) =>
        logger.error({ target, nextTryMs, err: error }, 'a deploy failed'),
    },
  });
};
