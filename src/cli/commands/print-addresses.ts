// Where a server is found, and with which key: lines for people once it listens, data once the first build is done.

import type { PublishReport } from '../../publish/cycle/publish-once.ts';
import { findShownKey } from '../../serve/admin/keys/keys.ts';
import { type Report, shown } from '../../serve/workspace/report.ts';
import type { Workspace } from '../../serve/workspace/workspace.ts';

type Said = {
  /** The origin. */
  readonly url: string;
  /** False where the lines become a log: the journal of a service is read by more people than its terminal. */
  readonly hasKey: boolean;
};

export const printAddresses = async (
  { useCases, paths, config }: Workspace,
  report: Report,
  { url, hasKey }: Said,
): Promise<void> => {
  const base = `${url}${config.basePath}`;
  const contentKey = hasKey ? await findShownKey(useCases, 'content') : null;
  report.say(`Serving      ${base}/`);
  report.say(`Content      ${base}/content/posts/${hasKey ? `?key=${contentKey}` : ''}`);
  if (hasKey) report.say(`Content key  ${contentKey}`);
  report.say(`Admin        ${base}/admin/`);
  report.say(`Admin key    in ${paths.adminKey}`);
  report.say(`Build hook   POST ${base}/hooks/build/TOKEN`);
  report.say('Secrets      npx prepress status --secrets');
};

export const showAddresses = async (
  { useCases, paths, config }: Workspace,
  report: Report,
  url: string,
): Promise<void> => {
  const contentKey = await findShownKey(useCases, 'content');
  report.data({ url: `${url}${config.basePath}`, contentKey, adminKeyFile: paths.adminKey });
};

export const printFirstBuild = (
  report: Report,
  { records, files, milliseconds }: PublishReport,
): void => {
  const seconds = (milliseconds / 1_000).toFixed(1);
  report.say(
    `The first build is done: ${shown(records)} records, ${shown(files.written)} files in ${seconds} s.`,
  );
};
