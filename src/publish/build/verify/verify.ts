// Checks the tree: disk against manifest, and manifest against database; and the database against itself.
// Reads everything, changes nothing.
import { dirname, join, relative } from 'node:path';
import { OwnFolders } from '../../../base/files/own-folders.ts';
import { findStat } from '../../../base/files/stat-key.ts';
import { isUnfit } from '../../../base/sqlite/database-fault.ts';
import { RESOURCES, SHAPES } from '../../../content/paths/endpoints.ts';
import { IMAGE_FOLDERS, listFile } from '../../../content/paths/files.ts';
import { ENCODINGS } from '../../../content/paths/sidecars.ts';
import type { Snapshot } from '../../../publication/snapshot/snapshot.ts';
import type { Finding } from '../../manifest/finding.ts';
import type { Manifest } from '../../manifest/manifest.ts';
import { findStaleFiles } from '../../output/stale/find-entries.ts';
import { findOrphanedFiles } from '../../output/stale/orphaned-files.ts';
import { fingerprintOf, settingsIn } from '../fingerprint.ts';
import type { OutputSettings } from '../output-settings.ts';
import { brokenLine, listBrokenRows, shapeOf } from '../set-aside/broken-rows.ts';
import { listDifferences } from '../setting-differences.ts';
import { compareRows, findWaiting } from './compare-rows.ts';
import { verifyExtraFiles } from './verify-extra-files.ts';
import { verifyFiles } from './verify-files.ts';
import { findPackedFault } from './verify-packed.ts';

type VerifyInput = {
  readonly contentFolder: string;
  /** The whole output; absent: the folder that the content folder lies in. */
  readonly output?: string;
  readonly manifest: Manifest;
  readonly snapshot: Snapshot;
  readonly settings: OutputSettings;
  /** Renders every row and compares, too. */
  readonly isCompared?: boolean;
  /** A server is running: what it has not built yet, it builds. */
  readonly isServed?: boolean;
  /** Pages, copies and files of hosts, relative to the output. */
  readonly placed?: ReadonlySet<string>;
  readonly onProgress?: (done: number, total: number) => void;
};

/** Everything that is wrong, each with the path and one reason; empty when all is well. */
export const verifyTree = async (input: VerifyInput): Promise<Finding[]> => {
  const { contentFolder, output = dirname(contentFolder), manifest, settings } = input;
  const { placed = new Set(), isCompared = false } = input;
  const progress = countProgress(input);
  const findings = verifyDatabase(input);
  const isDamaged = findings.length > 0;
  const damages = new Set<string>();
  const steps: readonly (() => Finding[] | Promise<Finding[]>)[] = [
    () => verifyState(input),
    () => verifyRows(input),
    () => verifyPlace(contentFolder, output),
    () => verifyFiles({ contentFolder, manifest, encodings: settings.encodings, onFile: progress }),
    () => {
      const fault = findPackedFault(input);
      if (fault === null) return verifyRecords(input);
      damages.add(fault);
      return [];
    },
    () => (isCompared ? compareRows({ ...input, onRecord: progress }) : []),
    // A manifest that lost rows would make their files look uninvited.
    () => (damages.size > 0 ? [] : verifyExtraFiles({ output, contentFolder, manifest, placed })),
    () => verifyHidden(contentFolder, output),
  ];
  for (const step of steps) {
    try {
      findings.push(...(await step()));
    } catch (error) {
      // The publication was read whole: then it is the manifest.
      if (!isUnfit(error) || isDamaged) throw error;
      damages.add((error as Error).message);
    }
  }
  for (const damage of damages) {
    const reason = `data/build.db is damaged (${damage}); "prepress build --full" makes it again`;
    findings.push({ path: '', reason });
  }
  return distinct(findings);
};

/** A file that belongs to nothing is found in two ways. */
const distinct = (findings: readonly Finding[]): Finding[] => {
  const paths = new Set<string>();
  return findings.filter(({ path }) => {
    if (path === '') return true;
    if (paths.has(path)) return false;
    paths.add(path);
    return true;
  });
};

const TOLD_EVERY = 200;

/** Returns what is called for each file and record. */
const countProgress = ({ manifest, isCompared, onProgress }: VerifyInput): (() => void) => {
  if (onProgress === undefined) return () => undefined;
  const total = RESOURCES.reduce((sum, resource) => {
    const files = SHAPES[resource].recordVariants.length * FOLDERS;
    return sum + manifest.count(resource) * (files + Number(isCompared === true));
  }, 0);
  let done = 0;
  return () => {
    done += 1;
    if (done % TOLD_EVERY === 0) onProgress(done, Math.max(total, done));
  };
};

/** By id and by slug. */
const FOLDERS = 2;

const verifyState = ({ manifest, snapshot, settings, isServed }: VerifyInput): Finding[] => {
  const state = manifest.state();
  if (state === null) return [{ path: '', reason: 'no build has been finished' }];
  const findings: Finding[] = [];
  const fingerprint = fingerprintOf(settings);
  if (state.fingerprint !== fingerprint) {
    findings.push({ path: '', reason: describeOther(state.fingerprint, fingerprint) });
  }
  const changes = countUnbuilt({ manifest, snapshot });
  if (changes === null) {
    findings.push({ path: '', reason: 'the change log does not follow the build' });
  } else if (changes !== 0) {
    const reason = unbuiltSentence(changes);
    findings.push(
      isServed === true
        ? { path: '', reason: `${reason}; the running server builds them`, isNote: true }
        : { path: '', reason },
    );
  }
  return findings;
};

/** Changes of the database since the last build; null where there is none, or one of another database. */
export const countUnbuilt = ({
  manifest,
  snapshot,
}: Pick<VerifyInput, 'manifest' | 'snapshot'>): number | null => {
  const position = manifest.state()?.position;
  if (position === undefined || !snapshot.follows(position)) return null;
  return snapshot.position().seq - position.seq;
};

/** Without a full stop. */
export const unbuiltSentence = (changes: number): string =>
  `${changes === 1 ? '1 change of the database is' : `${changes} changes of the database are`} not built yet`;

export const OTHER_SETTINGS = 'the output was built with other settings than this command has';

const describeOther = (there: string, here: string): string => {
  const [built, own] = [settingsIn(there), settingsIn(here)];
  const differences = built && own ? listDifferences(built, own) : [];
  return differences.length === 0
    ? 'the output was built by another version of Prepress or Node.js'
    : `${OTHER_SETTINGS}: ${differences.join('; ')}`;
};

/** A build reads through indexes, and does not see when one lost a row: only a reading of all of them does. */
export const verifyDatabase = ({ snapshot }: Pick<VerifyInput, 'snapshot'>): Finding[] =>
  snapshot.faults().map((fault) => ({ path: '', reason: `the database is damaged: ${fault}` }));

/** The tree is as it should be, and yet not what somebody meant to publish. */
const verifyRows = ({ snapshot, settings }: VerifyInput): Finding[] =>
  listBrokenRows(snapshot, shapeOf(settings)).map((row) => ({ path: '', reason: brokenLine(row) }));

/** A build follows links down to the content folder. Only the output itself is the operator's to place. */
const verifyPlace = (contentFolder: string, output: string): Finding[] => {
  const link = new OwnFolders(output).findTaken(contentFolder);
  if (link === null) return [];
  const named = `"${relative(output, link)}" in the output is a link, or something else that is not a folder`;
  return [{ path: '', reason: `${named}; remove it and build again` }];
};

const verifyRecords = async (input: VerifyInput): Promise<Finding[]> => {
  const { manifest, snapshot, contentFolder } = input;
  const findings: Finding[] = [];
  const waiting = input.isServed === true ? await findWaiting(input) : null;
  for (const resource of RESOURCES) {
    const keys = new Map(snapshot.keys(resource).map((key) => [key.id, key]));
    const entries = manifest.entries(
      resource,
      manifest.segments(resource).map(({ id }) => id),
    );
    const isExpected = (id: string): boolean => waiting?.touched[resource].has(id) === true;
    for (const [id, { slug }] of keys) {
      if (entries.get(id)?.slug !== slug && !isExpected(id)) {
        findings.push({ path: `${resource}/${id}`, reason: 'the record was not built' });
      }
    }
    for (const id of entries.keys()) {
      if (!keys.has(id) && !isExpected(id))
        findings.push({
          path: `${resource}/${id}`,
          reason: 'is in the output, but is not published',
        });
    }
    const standing = {
      ids: new Set(entries.keys()),
      segments: new Set([...entries.values()].map(({ segment }) => segment)),
      listNames: listNamesOf(manifest, resource),
      // The sidecars of files that belong here were looked at with them.
      encodings: ENCODINGS,
      isKnown: true,
    };
    for (const path of findOrphanedFiles(contentFolder, resource, standing)) {
      if (findStat(join(contentFolder, path)) !== undefined) {
        findings.push({ path, reason: 'the file belongs to no record or list' });
      }
    }
  }
  return findings;
};

const listNamesOf = (manifest: Manifest, resource: (typeof RESOURCES)[number]): Set<string> =>
  new Set(
    [...manifest.files()]
      .map(({ path }) => path)
      .filter((path) => path.startsWith(`${resource}/`) || path === listFile(resource, 'index')),
  );

/** No server sends them, and no later build minds. */
const verifyHidden = (contentFolder: string, output: string): Finding[] => {
  const imported = IMAGE_FOLDERS.map((name) => join(contentFolder, name));
  const folders = new Set([contentFolder, dirname(contentFolder), output, ...imported]);
  return findStaleFiles(folders).map((path) => ({
    path: relative(contentFolder, path),
    reason: 'a run is at work here, or was broken off; the next one removes what it left',
    isNote: true,
  }));
};
