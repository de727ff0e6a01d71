// prepress watch: the publisher and the deliverer without a server, until a signal ends them. prepress follow runs it too.

import { throwIfServerDiffers } from '../../../publish/cycle/server-settings.ts';
import { closeAll } from '../../../serve/program/close-all.ts';
import { collectOften } from '../../../serve/program/collect-often.ts';
import { createServedMetrics, type ServedMetrics } from '../../../serve/program/metrics.ts';
import {
  restartOnChange,
  type Session,
  type StartHow,
} from '../../../serve/program/restart-on-change.ts';
import { createLog, reloadLogging } from '../../../serve/program/server-log.ts';
import { createSession, loadSenders } from '../../../serve/program/session.ts';
import { openWorkspace } from '../../../serve/workspace/workspace.ts';
import type { Config } from '../../../settings/settings.ts';
import type { Run } from '../command.ts';
import { untilSignal } from '../until-signal.ts';

export const watch: Run = (context) => runWatching(context, { isFollowAsked: false });

type WatchOptions = {
  /** The command is to follow a source, also one that somebody ended following. */
  readonly isFollowAsked: boolean;
};

type Context = Parameters<Run>[0];

/** Publishes and delivers until a signal ends it. */
export const runWatching = async (context: Context, options: WatchOptions): Promise<undefined> => {
  const { config, report } = context;
  const ended = untilSignal();
  const metering = createServedMetrics();
  collectOften();
  await loadSenders();
  await restartOnChange({
    ...context,
    ended,
    ...reloadLogging(createLog(config, report)),
    start: (current, how) =>
      startWatching(current, { ...context, ...options, ...how, metering, ended }),
  });
};

type Watching = Pick<Context, 'report'> &
  WatchOptions &
  StartHow & { readonly metering: ServedMetrics; readonly ended: Promise<void> };

const startWatching = async (
  config: Config,
  { report, isFollowAsked, metering, isWaiting, ended }: Watching,
): Promise<Session> => {
  const logger = createLog(config, report);
  const onWarning = (sentence: string): void => logger.warn(sentence);
  const workspace = await openWorkspace(config, { mayLead: true, fillsEmpty: true, onWarning });
  const { siteUrl } = config;
  const { following, publishing } = await createSession(workspace, {
    ...{ logger, report, siteUrl, isAsked: isFollowAsked, metering, isWaiting, ended },
  });
  const close = (): Promise<void> => {
    workspace.store.beginClosing();
    return closeAll(metering, publishing, workspace);
  };
  try {
    await throwIfServerDiffers(workspace);
    await metering.listen(workspace, logger);
    await publishing.start();
    const source = isFollowAsked ? following.state()?.source : undefined;
    const what =
      source === undefined ? `Watching ${workspace.paths.database}` : `Following ${source}`;
    report.print(`${what}; stop with Ctrl-C.`);
    return { close, fits: publishing.fits };
  } catch (error) {
    await close();
    throw error;
  }
};
