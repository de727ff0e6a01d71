// prepress verify: the tree, what stands beside it, the pictures and the database. A build that runs meanwhile would
// make much look wrong: it is waited for, and what it changed is looked at again.

import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { counted } from '../../../base/text/counted.ts';
import { listPagesFaults } from '../../../pages/eleventy/page-seal.ts';
import { HOLDS_NO_FILE } from '../../../publication/media/media-folder.ts';
import { acquireBuildLock, tryBuildLock } from '../../../publication/store/locks/build-lock.ts';
import { isSomebodyPresent } from '../../../publication/store/locks/deliverer-presence.ts';
import { listBuilds } from '../../../publication/store/log/publishing.ts';
import { outputSettingsOf } from '../../../publish/build/output-settings.ts';
import {
  OTHER_SETTINGS,
  verifyDatabase,
  verifyTree,
} from '../../../publish/build/verify/verify.ts';
import { NOT_WRITTEN } from '../../../publish/build/verify/verify-extra-files.ts';
import { verifyPlacedMedia } from '../../../publish/cycle/media.ts';
import { verifyChanges } from '../../../publish/deploy/verify-changes.ts';
import { hostSiteOf } from '../../../publish/hosts/host-site.ts';
import {
  closedReason,
  describeClosed,
  findClosedFolders,
} from '../../../publish/hosts/placing/closed-folders.ts';
import { verifyPlaced } from '../../../publish/hosts/placing/verify-placed.ts';
import type { Finding } from '../../../publish/manifest/finding.ts';
import { verifySizes } from '../../../publish/sizes/verify-sizes.ts';
import { findMissingPictures } from '../../../serve/workspace/missing-pictures.ts';
import { printFirst } from '../../../serve/workspace/print-import.ts';
import type { Report } from '../../../serve/workspace/report.ts';
import { openWorkspace, type Workspace } from '../../../serve/workspace/workspace.ts';
import { dataPathsOf } from '../../../settings/data-paths.ts';
import type { Config } from '../../../settings/settings.ts';
import type { Run } from '../command.ts';

type Options = {
  readonly isCompared: boolean;
  readonly dataFolder: string;
  readonly ownConfig: Config;
};

/** By then a server has rendered the pages of a build. */
const RENDERED_MS = 60_000;

export const verify: Run = async ({ config, ownConfig, report, options }) => {
  const workspace = await openWorkspace(config);
  try {
    // Records name files as they lie from there.
    const dataFolder = dirname(dataPathsOf(ownConfig).manifest);
    const asked = { isCompared: options.compare === true, dataFolder, ownConfig };
    const all = [
      ...(await verifyBetweenBuilds(workspace, report, asked)),
      ...(await verifySizesLocked(workspace.paths)),
    ];
    const findings = all.filter(({ isNote }) => isNote !== true);
    const notes = all.filter(({ isNote }) => isNote === true);
    printFirst(report, findings, lineOf);
    printNotes(report, notes);
    const hasServer = isSomebodyPresent(workspace.paths.delivererLock);
    report.print(conclusionOf(findings, { notes: notes.length, hasServer }));
    report.data({ findings, notes });
    return findings.length === 0 ? 0 : 1;
  } finally {
    await workspace.close();
  }
};

/** Sizes are placed without a change of the manifest. */
const verifySizesLocked = async (paths: Workspace['paths']): Promise<Finding[]> => {
  const lock = await acquireBuildLock(paths.buildLock, LOCK_TIMEOUT_MS);
  try {
    return verifySizes(paths);
  } finally {
    lock.release();
  }
};

type Seen = { readonly notes: number; readonly hasServer: boolean };

const conclusionOf = (findings: readonly Finding[], { notes, hasServer }: Seen): string => {
  if (findings.length === 0)
    return notes === 0 ? 'All is well.' : 'The output is whole; see the notes above.';
  return `${counted(findings.length, 'finding')}. ${adviceOn(findings, hasServer)}`;
};

const adviceOn = (findings: readonly Finding[], hasServer: boolean): string => {
  if (findings.some(({ reason }) => reason === NO_OUTPUT))
    return 'If somebody removed the output, "prepress build --full" writes it again.';
  if (findings.every(({ reason }) => reason.includes(HOLDS_NO_FILE)))
    return 'The line above says what helps.';
  if (!findings.some(({ reason }) => reason.startsWith(OTHER_SETTINGS)))
    return '"prepress build --full" repairs files of the output.';
  const same =
    'Run "prepress verify" with the settings of the output, such as --site-url, or keep them in prepress.config.json.';
  // A build with other settings than those of a server is refused.
  return hasServer ? same : `${same} Only if those here are meant, run "prepress build --full".`;
};

const NO_OUTPUT =
  'there is no such folder; relative paths are those of the folder that a command runs in: run it in the folder of the publication, or name the output with --output';

/** A site generator's pages, among which the tree lies, are many. */
const printNotes = (report: Report, notes: readonly Finding[]): void => {
  const others = notes.filter(({ reason }) => reason === NOT_WRITTEN);
  const areFew = others.length <= 1;
  printFirst(report, areFew ? notes : notes.filter((one) => !others.includes(one)), lineOf);
  if (areFew) return;
  const named = `${counted(others.length, 'file')}, such as ${others[0]?.path}`;
  report.print(`Note: Prepress did not write ${named}, and leaves them.`);
};

const lineOf = ({ path, reason, isNote }: Finding): string => {
  const line = path === '' ? reason : `${path}: ${reason}`;
  return isNote ? `Note: ${line.replace(/[.]$/, '')}.` : line;
};

const LOCK_TIMEOUT_MS = 60 * 60_000;

/** Holds up no build, unless one came in between: then it looks again, and builds wait. Throws BUILD_BUSY. */
const verifyBetweenBuilds = async (
  workspace: Workspace,
  report: Report,
  options: Options,
): Promise<Finding[]> => {
  const { paths, manifest } = workspace;
  await waitForBuild(paths.buildLock, report);
  const before = manifest.version();
  const findings = await verifyOnce(workspace, report, options);
  const lock = tryBuildLock(paths.buildLock);
  const isUndisturbed = lock !== null && manifest.version() === before;
  lock?.release();
  if (isUndisturbed || findings.length === 0) return findings;
  report.print('A build changed the output meanwhile, so it is verified again.');
  const held = await acquireBuildLock(paths.buildLock, LOCK_TIMEOUT_MS);
  try {
    manifest.reopenIfReplaced();
    return await verifyOnce(workspace, report, options);
  } finally {
    held.release();
  }
};

const MISSING = 'records name this file, but it is missing';

const waitForBuild = async (path: string, report: Report): Promise<void> => {
  const free = tryBuildLock(path);
  if (free !== null) return free.release();
  report.print('A build is running; the output is verified when it is done.');
  (await acquireBuildLock(path, LOCK_TIMEOUT_MS)).release();
};

const verifyOnce = async (
  workspace: Workspace,
  report: Report,
  { isCompared, dataFolder, ownConfig }: Options,
): Promise<Finding[]> => {
  const { config, manifest, paths, store } = workspace;
  const snapshot = store.snapshot();
  try {
    if (manifest.generation() > 0 && !existsSync(paths.output))
      return [...verifyDatabase({ snapshot }), { path: paths.output, reason: NO_OUTPUT }];
    // A server whose last build failed builds nothing until that is mended.
    const [lastBuild] = await listBuilds(store, 1);
    const isNew = Number(lastBuild?.finished_at) > Date.now() - RENDERED_MS;
    const isServed = isSomebodyPresent(paths.delivererLock) && lastBuild?.state !== 'failed';
    const pages = await listPagesFaults(ownConfig, workspace);
    const placed = verifyPlaced({ site: hostSiteOf(config, manifest), dataFolder });
    const tree = await verifyTree({
      contentFolder: paths.contentFolder,
      output: paths.output,
      manifest,
      snapshot,
      settings: outputSettingsOf(config, snapshot.settings()),
      isCompared,
      isServed,
      placed: placed.paths,
      onProgress: (done, total) =>
        report.progress({
          done,
          total,
          text: `${counted(done, 'file or record', 'files and records')}`,
        }),
    });
    const { output, contentFolder } = paths;
    const generation = manifest.generation();
    const closed = describeClosed(output);
    return [
      ...tree,
      ...placed.findings,
      // A server renders them some seconds after a build, unless templates are at fault.
      ...pages.map((reason): Finding => ({ path: '', reason, isNote: isServed && isNew })),
      ...verifyChanges({ dataFolder, output, contentFolder, generation }),
      ...(await verifyPlacedMedia(paths)),
      ...(await findMissingPictures(workspace)).map(
        (path): Finding => ({ path: `content/${path}`, reason: MISSING, isNote: true }),
      ),
      ...findClosedFolders(output).map(
        (folder): Finding => ({ path: folder, reason: closedReason(folder), isNote: true }),
      ),
      ...(closed === null ? [] : [{ path: output, reason: closed, isNote: true }]),
    ];
  } finally {
    report.endProgress();
    snapshot.close();
  }
};
