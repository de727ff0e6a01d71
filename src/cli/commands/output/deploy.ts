// prepress deploy: carries the output, as the last build left it, to a target, or to those of the setting `deploy`. What
// stands there is compared as a whole, so it also mends what others changed there.

import { existsSync } from 'node:fs';
import { systemClock } from '../../../base/clock.ts';
import { closing } from '../../../base/closing.ts';
import { PrepressError } from '../../../base/errors.ts';
import { counted } from '../../../base/text/counted.ts';
import { isPublicationAt, openStore } from '../../../publication/store/open-store.ts';
import type { Store } from '../../../publication/store/store.ts';
import { outputSourceOf, targetOf } from '../../../publish/after-build/deploy-destinations.ts';
import { leftOut } from '../../../publish/after-build/write-hosts.ts';
import { countUnbuilt, unbuiltSentence } from '../../../publish/build/verify/verify.ts';
import { syncTarget } from '../../../publish/deploy/sync-target.ts';
import type { Manifest } from '../../../publish/manifest/manifest.ts';
import { openManifest } from '../../../publish/manifest/open-manifest.ts';
import { deliverDue } from '../../../serve/workspace/deliver-due.ts';
import {
  countsLine,
  deployEverywhere,
  throwIfNotDeployed,
} from '../../../serve/workspace/deploy-after.ts';
import type { Report } from '../../../serve/workspace/report.ts';
import { withWorkspace } from '../../../serve/workspace/with-workspace.ts';
import { type DataPaths, dataPathsOf } from '../../../settings/data-paths.ts';
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
    await printUnbuiltAt(paths, { manifest, report });
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
    printUnbuilt(workspace.store, { manifest: workspace.manifest, report });
    const deliveries = await deliverDue(workspace);
    throwIfNotDeployed({ targets });
    report.data({ targets, deliveries });
    return 0;
  });
};

type Deployed = { readonly manifest: Manifest | null; readonly report: Report };

/** A database that cannot be read now does not keep files from being deployed. */
const printUnbuiltAt = async ({ database, postgres }: DataPaths, deployed: Deployed) => {
  if (postgres !== null || !isPublicationAt(database)) return;
  const store = await openStore(database).catch((error: unknown) => {
    if (error instanceof PrepressError) return null;
    throw error;
  });
  if (store !== null) await closing(store, async () => printUnbuilt(store, deployed));
};

/** What another program has withdrawn since the build is in what was sent. */
const printUnbuilt = (store: Store, { manifest, report }: Deployed): void => {
  if (manifest === null) return;
  closing(store.snapshot(), (snapshot) => {
    const changes = countUnbuilt({ manifest, snapshot });
    if (changes)
      report.print(`Note: ${unbuiltSentence(changes)}: run "prepress build", then deploy again.`);
  });
};

const printLeftOut = ({ profile }: Config, report: Report): void => {
  if (profile !== 'by-id' && profile !== 'packed') return;
  report.print(
    `Note: with the profile ${profile}, ${leftOut(profile)} are left out: write the host's files with that profile too.`,
  );
};
