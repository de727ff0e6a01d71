// Checks what stands beside the tree's own files: pages for people, files of hosts, and index.html copies. Records in
// data/ name them; those of copies are compared with the files that they copy.
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { findHash } from '../../../base/files/file-hash.ts';
import { isInside, realPathOf } from '../../../base/files/inside.ts';
import { realFolder } from '../../../base/files/make-folder.ts';
import { findStat } from '../../../base/files/stat-key.ts';
import type { Finding } from '../../manifest/finding.ts';
import { EDITED, listEditedFiles } from '../../output/copies/host-files.ts';
import { isCopyOf } from '../../output/copies/tree-copies.ts';
import { openWrittenFiles, RECORDS, recordedTrees } from '../../output/copies/written-files.ts';
import { isOwnPage } from '../../output/pages/page-files.ts';
import type { HostSite } from '../host.ts';
import { indexCopies } from '../plain-files/copies.ts';

export type PlacedInput = {
  readonly site: HostSite;
  readonly dataFolder: string;
};

export type Placed = {
  /** Relative to the output. */
  readonly paths: ReadonlySet<string>;
  readonly findings: readonly Finding[];
};

/** Paths of findings are relative to the content folder, as in all checks. */
export const verifyPlaced = (input: PlacedInput): Placed => {
  const { site, dataFolder } = input;
  const { output, basePath } = site;
  const content = join(output, basePath, 'content');
  const paths = new Set<string>();
  const findings: Finding[] = [];
  const found: Found = {
    paths,
    tell: (path, reason) => {
      if (reason !== null) findings.push({ path: relative(content, path), reason });
    },
  };
  const edited = new Set(listEditedFiles(join(dataFolder, RECORDS.hosts)));
  verifyRecords(input, found, edited);
  for (const path of edited)
    findings.push({ path: relative(content, path), reason: EDITED, isNote: true });
  for (const path of pagesBefore(join(output, basePath), dataFolder)) {
    paths.add(relative(output, path));
  }
  if (existsSync(output)) verifyCopies(input, found);
  return { paths, findings };
};

type Found = {
  readonly paths: Set<string>;
  /** Null: the file is as it should be. */
  readonly tell: (path: string, reason: string | null) => void;
};

/** Files that a record in the data folder names, with their hashes. */
const verifyRecords = (
  { site, dataFolder }: PlacedInput,
  { paths, tell }: Found,
  edited: ReadonlySet<string>,
): void => {
  const { output, basePath } = site;
  const base = join(output, basePath);
  const records: readonly (readonly [string, string])[] = [
    [base, RECORDS.pages],
    [output, RECORDS.hosts],
    ...openApiFolders(output, dataFolder).map((folder) => [folder, OPENAPI] as const),
    ...rulesFolders(dataFolder).map((folder) => [folder, RECORDS.hosts] as const),
  ];
  for (const [root, name] of records) {
    if (!existsSync(root)) continue;
    const record = openWrittenFiles(join(dataFolder, name), realpathSync(root));
    for (const path of record.paths) {
      paths.add(relative(output, join(root, path)));
      if (edited.has(join(root, path))) continue;
      tell(join(root, path), faultOf(join(root, path), record.hashes.get(path)));
    }
  }
};

const verifyCopies = ({ site, dataFolder }: PlacedInput, { paths, tell }: Found): void => {
  const { output } = site;
  const record = openWrittenFiles(join(dataFolder, RECORDS.copies), realpathSync(output));
  // A page for people may have taken the place of one.
  const copies = new Set([...record.paths].filter((path) => !paths.has(path)));
  for (const path of copies) paths.add(path);
  if (copies.size === 0) return;
  for (const { path, source } of indexCopies(site)) {
    if (copies.has(path))
      tell(join(output, path), copyFault(join(output, path), join(output, source)));
  }
};

const OPENAPI = 'openapi-files.json';

/** That of the base path, and of earlier ones. */
const openApiFolders = (output: string, dataFolder: string): string[] => {
  const root = realPathOf(output);
  return recordedTrees(join(dataFolder, OPENAPI))
    .filter((folder) => isInside(folder, root))
    .map((folder) => join(output, relative(root, folder)));
};

/** Where the rules are that no reader needs to see. What was written elsewhere is the operator's to carry and change. */
const rulesFolders = (dataFolder: string): string[] => {
  const hosts = join(realFolder(dataFolder), 'hosts');
  return recordedTrees(join(dataFolder, RECORDS.hosts)).filter(
    (folder) => dirname(folder) === hosts,
  );
};

/** The page of an earlier time, where the record of pages was lost: the next build takes it over. */
const pagesBefore = (base: string, dataFolder: string): string[] => {
  const page = join(base, 'index.html');
  const isKnown =
    existsSync(base) &&
    openWrittenFiles(join(dataFolder, RECORDS.pages), realpathSync(base)).isKnown;
  return !isKnown && isOwnPage(page) ? [page] : [];
};

const hashOf = (path: string): string => findHash(path)?.toString('hex') ?? '';

/** `hashes`: the newest, and perhaps the one before. */
const faultOf = (path: string, hashes: string | undefined): string | null => {
  const stat = findStat(path);
  if (stat === undefined) return 'the file is missing';
  if (!stat.isFile()) return 'something that is not a file stands there';
  return hashes === undefined || hashes.split(' ').includes(hashOf(path))
    ? null
    : 'the file has other bytes than it was placed with';
};

const copyFault = (path: string, source: string): string | null => {
  const [stat, from] = [findStat(path), findStat(source)];
  if (stat === undefined) return 'the copy is missing';
  if (!stat.isFile()) return 'something that is not a file stands there';
  if (from?.isFile() !== true || isCopyOf(source, path)) return null;
  return 'the copy has other bytes than the file that it copies';
};
