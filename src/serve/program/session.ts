// What serve and watch share: the sending parts, loaded before anything starts, and the publisher of an open workspace
// with what it follows and its metrics.
import { loadNodemailer } from '../../base/mail/mailer.ts';
import { loadHttpClient } from '../../base/net/http-client.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { createFollowing, type Following, type FollowingOptions } from './following.ts';
import type { ServedMetrics } from './metrics.ts';
import { createPublishing, type Publishing } from './publishing.ts';

/** What other commands load when they send something: a program that runs for long may be replaced by then. */
export const loadSenders = (): Promise<unknown> =>
  Promise.all([loadHttpClient(), loadNodemailer()]);

export type PublisherSession = {
  readonly following: Following;
  readonly publishing: Publishing;
};

type Options = FollowingOptions & {
  readonly isWaiting: boolean;
  readonly metering: ServedMetrics;
  /** Resolves when the program is to end. */
  readonly ended: Promise<void>;
};

export const createSession = async (
  workspace: Workspace,
  { metering, ended, isWaiting, ...options }: Options,
): Promise<PublisherSession> => {
  const { logger, report } = options;
  const following = createFollowing(workspace, options);
  const metrics = await metering.begin(workspace);
  const publishing = createPublishing(workspace, {
    ...{ logger, report, following, metrics, isWaiting, ended },
  });
  return { following, publishing };
};
