// Checks each file that the manifest names: it is there, in real folders, with its bytes; and so are its sidecars.
import { dirname, join } from 'node:path';
import { findHash } from '../../../base/files/file-hash.ts';
import { OwnFolders } from '../../../base/files/own-folders.ts';
import { findStat } from '../../../base/files/stat-key.ts';
import {
  ENCODINGS,
  type Encoding,
  hasSidecars,
  sidecarOf,
} from '../../../content/paths/sidecars.ts';
import type { Finding } from '../../manifest/finding.ts';
import type { Manifest, ManifestFile } from '../../manifest/manifest.ts';
import { holdsHash } from '../../output/session/compressed-files.ts';

export type VerifyFilesInput = {
  readonly contentFolder: string;
  readonly manifest: Pick<Manifest, 'allFiles'>;
  readonly encodings: readonly Encoding[];
  readonly onFile: () => void;
};

export const verifyFiles = async (input: VerifyFilesInput): Promise<Finding[]> => {
  const { manifest, contentFolder, onFile } = input;
  const own = new OwnFolders(contentFolder);
  const linked = new Set<string>();
  const findings: Finding[] = [];
  for (const file of manifest.allFiles()) {
    const { path } = file;
    const folder = dirname(path);
    onFile();
    if (linked.has(folder)) continue;
    if (!own.has(join(contentFolder, folder)) && own.isTaken(join(contentFolder, folder))) {
      linked.add(folder);
      const reason = 'a link, or something else that is not a folder, stands here or above';
      findings.push({ path: folder, reason });
      continue;
    }
    const reason = faultOf(join(contentFolder, path), file);
    if (reason !== null) findings.push({ path, reason });
    if (hasSidecars(path)) findings.push(...(await verifySidecars(input, file)));
  }
  return findings;
};

const verifySidecars = async (
  { contentFolder, encodings }: VerifyFilesInput,
  file: ManifestFile,
): Promise<Finding[]> => {
  const findings: Finding[] = [];
  for (const encoding of ENCODINGS) {
    const path = sidecarOf(file.path, encoding);
    const place = join(contentFolder, path);
    const isThere = findStat(place) !== undefined;
    if (!encodings.includes(encoding)) {
      if (isThere) findings.push({ path, reason: `the setting precompress has no ${encoding}` });
    } else if (!isThere) {
      findings.push({ path, reason: 'the file is missing' });
    } else if (!(await holdsHash(place, encoding, file))) {
      findings.push({ path, reason: 'the file has other bytes than its document' });
    }
  }
  return findings;
};

const faultOf = (path: string, { size, sha256 }: ManifestFile): string | null => {
  const stat = findStat(path);
  if (stat === undefined) return 'the file is missing';
  if (!stat.isFile()) return 'something that is not a file stands there';
  if (stat.size !== size) return `the file has ${stat.size} bytes, not ${size}`;
  return findHash(path)?.equals(sha256) === true ? null : 'the file has other bytes';
};
