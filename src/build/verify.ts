// Checks the tree: disk against manifest, and manifest against database. Reads everything, changes
// nothing.
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { findHash } from '../emit/file-hash.ts';
import { findStrays } from '../emit/strays.ts';
import { RESOURCES } from '../paths/endpoints.ts';
import { listFile } from '../paths/files.ts';
import type { Manifest } from '../store/manifest.ts';
import type { Snapshot } from '../store/snapshot.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { OutputSettings } from './output-settings.ts';

export type Finding = { readonly path: string; readonly reason: string };

type VerifyInput = {
  readonly contentFolder: string;
  readonly manifest: Manifest;
  readonly snapshot: Snapshot;
  readonly settings: OutputSettings;
};

/** Everything that is wrong, each with the path and one reason; empty when all is well. */
export const verifyTree = (input: VerifyInput): Finding[] => [
  ...verifyState(input),
  ...verifyFiles(input),
  ...verifyRecords(input),
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

const verifyFiles = ({ manifest, contentFolder }: VerifyInput): Finding[] => {
  const findings: Finding[] = [];
  for (const { path, size, sha256 } of manifest.allFiles()) {
    const reason = faultOf(join(contentFolder, path), size, sha256);
    if (reason !== null) findings.push({ path, reason });
  }
  return findings;
};

const faultOf = (path: string, size: number, sha256: Buffer): string | null => {
  const stat = lstatSync(path, { throwIfNoEntry: false });
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
    };
    for (const path of findStrays(contentFolder, resource, standing)) {
      if (lstatSync(join(contentFolder, path), { throwIfNoEntry: false }) !== undefined) {
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
