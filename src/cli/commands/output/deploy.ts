// prepress deploy: carries the output, as the last build left it, to a target, or to those of the setting `deploy`. What
// stands there is compared as a whole, so it also mends what others changed there.

import { existsSync } from 'node:fs';
import { systemClock } from '../../../base/clock.ts';
import { PrepressError } from '../../../base/errors.ts';
import { counted } from '../../../base/text/counted.ts';
import { outputSourceOf, targetOf } from '../../../publish/after-build/deploy-destinations.ts';
import { leftOut } from '../../../publish/after-build/write-hosts.ts';
import { syncTarget } from '../../../publish/deploy/sync-target.ts';
import { openManifest } from '../../../publish/manifest/open-manifest.ts';
import { deliverDue } from '../../../serve/workspace/deliver-due.ts';
import {
  countsLine,
  deployEverywhere,
  throwIfNotDeployed,
} from '../../../serve/workspace/deploy-after.ts';
import type { Report } from '../../../serve/workspace/report.ts';
import { withWorkspace } from '../../../serve/workspace/with-workspace.ts';
import { dataPathsOf } from '../../../settings/data-paths.ts';
import { nameBucketOption, placesSentence } from '../../../settings/deploy-targets.ts';
import type { Config } from '../../../settings/settings.ts';
import type { Run } from '../command.ts';

export const deployTo: Run = async ({ config, report, args, options }) => {
  const [target] = args;
  const text = (name: string): string | undefined =>
    typeof options[name] === 'string' ? options[name] : undefined;
  const ofBucket = {
    endpoint: text('endpoint'),
    region: text('region'),
    invalidate: text('invalidate'),
  };
  const option = nameBucketOption(ofBucket);
  if (option !== null && !target?.startsWith('s3:')) {
    throw new PrepressError('USAGE', `--${option} needs a target that begins with s3://.`);
  }
  if (target === undefined) return deployToAll(config, report);
  const setting = { target, ...ofBucket };
  const paths = dataPathsOf(config);
  const manifest = existsSync(paths.manifest) ? openManifest(paths.manifest) : null;
  try {
    const deps = { config, paths, manifest, clock: systemClock };
    const result = await syncTarget(outputSourceOf(deps), targetOf(deps, setting).destination(), {
      isWhole: true,
      onProgress: (done, total) =>
        report.progress({ done, total, text: `${counted(done, 'file')} sent` }),
    });
    printLeftOut(config, report);
    report.print(countsLine(result));
    report.data(result);
  } finally {
    manifest?.close();
  }
  return 0;
};

const deployToAll = (config: Config, report: Report): Promise<number> => {
  if (config.deploy.length === 0) {
    throw new PrepressError('USAGE', `Name a target, or set "deploy". ${placesSentence('')}`);
  }
  return withWorkspace(config, async (workspace) => {
    const targets = await deployEverywhere(workspace, report, { isWhole: true });
    printLeftOut(config, report);
    const deliveries = await deliverDue(workspace);
    throwIfNotDeployed({ targets });
    report.data({ targets, deliveries });
    return 0;
  });
};

const printLeftOut = ({ profile }: Config, report: Report): void => {
  if (profile !== 'by-id' && profile !== 'packed') return;
  report.print(
    `Note: with the profile ${profile}, ${leftOut(profile)} are left out: write the host's files with that profile too.`,
  );
};
