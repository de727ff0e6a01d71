// Checks the tree: disk against manifest, and manifest against database; and the database against itself.
// Reads everything, changes nothing.
import { dirname, join, relative } from 'node:path';
import { holdsHash } from '../emit/compressed-files.ts';
import { findHash } from '../emit/file-hash.ts';
import { findStat } from '../emit/file-stamp.ts';
import { findLeftovers } from '../emit/leftovers.ts';
import { findStrays } from '../emit/strays.ts';
import { RESOURCES } from '../paths/endpoints.ts';
import { IMAGE_FOLDERS, listFile } from '../paths/files.ts';
import { ENCODINGS, hasSidecars, sidecarOf } from '../paths/sidecars.ts';
import type { Manifest, ManifestFile } from '../store/manifest.ts';
import type { Snapshot } from '../store/snapshot.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { OutputSettings } from './output-settings.ts';
import { heldEntries, setAsideLine } from './set-aside-lines.ts';

export type Finding = { readonly path: string; readonly reason: string };

type VerifyInput = {
  readonly contentFolder: string;
  /** The whole output; absent: the folder that the content folder lies in. */
  readonly output?: string;
  readonly manifest: Manifest;
  readonly snapshot: Snapshot;
  readonly settings: OutputSettings;
};

/** Everything that is wrong, each with the path and one reason; empty when all is well. */
export const verifyTree = async (input: VerifyInput): Promise<Finding[]> => [
  ...verifyDatabase(input),
  ...verifyState(input),
  ...verifyRows(input),
  ...(await verifyFiles(input)),
  ...verifyRecords(input),
  ...verifyHidden(input),
];

const verifyState = ({ manifest, snapshot, settings }: VerifyInput): Finding[] => {
  const state = manifest.state();
  if (state === null) return [{ path: '', reason: 'no build has been finished' }];
  const findings: Finding[] = [];
  if (state.fingerprint !== fingerprintOf(settings)) {
    findings.push({ path: '', reason: 'it was built with other settings or versions' });
  }
  if (!snapshot.follows(state.position)) {
    findings.push({ path: '', reason: 'the change log does not follow the build' });
  } else if (state.position.seq !== snapshot.position().seq) {
    const behind = snapshot.position().seq - state.position.seq;
    findings.push({ path: '', reason: `${behind} changes of the database are not built yet` });
  }
  return findings;
};

/** A build reads through indexes, and does not see when one lost a row: only a reading of all of them does. */
const verifyDatabase = ({ snapshot }: VerifyInput): Finding[] =>
  snapshot.faults().map((fault) => ({ path: '', reason: `the database is damaged: ${fault}` }));

/** The tree is as it should be, and yet not what somebody meant to publish. */
const verifyRows = ({ snapshot }: VerifyInput): Finding[] =>
  heldEntries(snapshot).map((entry) => ({ path: '', reason: setAsideLine(entry) }));

const verifyFiles = async (input: VerifyInput): Promise<Finding[]> => {
  const { manifest, contentFolder } = input;
  const findings: Finding[] = [];
  for (const file of manifest.allFiles()) {
    const { path, size, sha256 } = file;
    const reason = faultOf(join(contentFolder, path), size, sha256);
    if (reason !== null) findings.push({ path, reason });
    if (hasSidecars(path)) findings.push(...(await verifySidecars(input, file)));
  }
  return findings;
};

const verifySidecars = async (
  { contentFolder, settings }: VerifyInput,
  file: ManifestFile,
): Promise<Finding[]> => {
  const findings: Finding[] = [];
  for (const encoding of ENCODINGS) {
    const path = sidecarOf(file.path, encoding);
    const place = join(contentFolder, path);
    const isThere = findStat(place) !== undefined;
    if (!settings.encodings.includes(encoding)) {
      if (isThere) findings.push({ path, reason: `the setting precompress has no ${encoding}` });
    } else if (!isThere) {
      findings.push({ path, reason: 'the file is missing' });
    } else if (!(await holdsHash(place, encoding, file))) {
      findings.push({ path, reason: 'the file has other bytes than its document' });
    }
  }
  return findings;
};

const faultOf = (path: string, size: number, sha256: Buffer): string | null => {
  const stat = findStat(path);
  if (stat === undefined) return 'the file is missing';
  if (!stat.isFile()) return 'something that is no file stands there';
  if (stat.size !== size) return `the file has ${stat.size} bytes, not ${size}`;
  return findHash(path)?.equals(sha256) === true ? null : 'the file has other bytes';
};

const verifyRecords = ({ manifest, snapshot, contentFolder }: VerifyInput): Finding[] => {
  const findings: Finding[] = [];
  for (const resource of RESOURCES) {
    const keys = new Map(snapshot.keys(resource).map((key) => [key.id, key]));
    const entries = manifest.entries(
      resource,
      manifest.order(resource).map(({ id }) => id),
    );
    for (const [id, { slug }] of keys) {
      if (entries.get(id)?.slug !== slug) {
        findings.push({ path: `${resource}/${id}`, reason: 'the record was not built' });
      }
    }
    for (const id of entries.keys()) {
      if (!keys.has(id))
        findings.push({ path: `${resource}/${id}`, reason: 'no such record is shown' });
    }
    const standing = {
      ids: new Set(entries.keys()),
      segments: new Set([...entries.values()].map(({ segment }) => segment)),
      listNames: listNamesOf(manifest, resource),
      // The sidecars of files that belong here were looked at with them.
      encodings: ENCODINGS,
      isKnown: true,
    };
    for (const path of findStrays(contentFolder, resource, standing)) {
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

const verifyHidden = ({
  contentFolder,
  output = dirname(contentFolder),
}: VerifyInput): Finding[] => {
  const imported = IMAGE_FOLDERS.map((name) => join(contentFolder, name));
  const folders = new Set([contentFolder, dirname(contentFolder), output, ...imported]);
  return findLeftovers(folders).map((path) => ({
    path: relative(contentFolder, path),
    reason: 'a run is at work here, or was broken off; the next one removes what it left',
  }));
};
