// Writes one host's files: makes them, checks the host's limits, has its program try them, and only then places them. The caller holds
// the hosts' lock.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isInside, realPathOf } from '../../../base/files/inside.ts';
import { EDITED, placeHostFiles } from '../../output/copies/host-files.ts';
import { clearHostStaging } from '../../output/copies/host-staging.ts';
import {
  hasTreeCopies,
  placeTreeCopies,
  type TreeCopiesReport,
} from '../../output/copies/tree-copies.ts';
import { RECORDS } from '../../output/copies/written-files.ts';
import type { Host, HostFile, HostSite } from '../host.ts';
import { checkLimits, type LimitLine, limitLines } from '../limits/check-limits.ts';
import { redirectNotes } from '../limits/limitations.ts';
import { indexCopies } from '../plain-files/copies.ts';
import { escapedInQuotes } from '../rules/addresses.ts';
import { OTHER_QUERY_FILE } from '../rules/other-queries.ts';
import { findClosedFolders } from './closed-folders.ts';
import { type FileOwners, openFileOwners } from './file-owners.ts';
import { ifEleventyBrings, ownFileSentence } from './own-file.ts';
import { tryRules } from './try-rules.ts';

export type WriteHostInput = {
  readonly host: Host;
  readonly site: HostSite;
  /** Folder beside the database, for the record and for files that are not served. */
  readonly dataFolder: string;
  /** Where to write instead of the host's own place. */
  readonly to?: string;
  /** Names of other hosts that the same output is published to. */
  readonly others?: readonly string[];
  /** Takes back what was changed since it was written. */
  readonly overwrites?: boolean;
};

export type WriteHostReport = {
  readonly host: string;
  readonly profile: string;
  readonly files: readonly string[];
  /** Those that were not there in the same bytes. */
  readonly written: readonly string[];
  readonly limits: readonly LimitLine[];
  /** What somebody should look at. */
  readonly notes: readonly string[];
  /** What the host cannot do. */
  readonly limitations: readonly string[];
  /** What to do with the files. */
  readonly use: string;
  /** The host reads them when it is reloaded. */
  readonly isReloaded: boolean;
};

/** Throws VALIDATION for limits and for rules that the host's program refuses, FILE_EXISTS for somebody else's file or another host's, OUTPUT_UNWRITABLE for the disk. */
export const writeHost = async (input: WriteHostInput): Promise<WriteHostReport> => {
  const { host, site, dataFolder } = input;
  const standardFolder = placeOf(host, site, dataFolder);
  const { to: folder = standardFolder } = input;
  const files = await host.files(site, folder);
  const isWhole = host.uploads === 'output' && input.to === undefined;
  const limits = limitLines({ host, files, site, isWhole });
  checkLimits(host, limits, site);
  const record = join(dataFolder, RECORDS.hosts);
  const edited: string[] = [];
  const { overwrites = false } = input;
  const place = (root: string, group: readonly HostFile[]): string[] => {
    if (group.length === 0) return [];
    const content = root === site.output ? contentOf(site) : undefined;
    const foreign = (path: string): string =>
      root === site.output ? ownFileSentence(host, path, 'yours') : asideSentence(path);
    const placed = placeHostFiles({ root, content, record, files: group, overwrites, foreign });
    edited.push(...placed.edited.map((path) => join(root, path)));
    return placed.written.map((path) => join(root, path));
  };
  const owners = openFileOwners(dataFolder);
  const pathOf = (file: HostFile): string =>
    join(isInOutput(file) ? site.output : folder, file.path);
  const claimed = files.map((file) => ({ path: pathOf(file), text: file.text }));
  owners.check(host.name, claimed);
  if (claimed.some(({ path, text }) => !isPlaced(path, text))) await tryRules(host, site);
  const written = [
    ...place(site.output, files.filter(isInOutput)),
    ...place(
      folder,
      files.filter((file) => !isInOutput(file)),
    ),
  ];
  owners.claim(host.name, claimed);
  const paths = files.map(pathOf);
  const isElsewhere = edited.length > 0 || realPathOf(folder) !== realPathOf(standardFolder);
  return {
    host: host.name,
    profile: site.selection.profile,
    isReloaded: host.isReloaded === true,
    files: paths,
    use: (isElsewhere ? (host.useElsewhere ?? host.use) : host.use)
      .replaceAll('{folder}', escapedInQuotes(dirname(paths[0] ?? '')))
      .replaceAll('{root}', escapedInQuotes(site.root))
      .replaceAll('{name}', host.nameIn?.(site) ?? ''),
    written,
    limits,
    notes: [
      ...edited.map((path) =>
        isInside(path, site.output)
          ? `${path}: ${EDITED}. ${ifEleventyBrings(host, path)}`
          : `${path}: ${EDITED}.`,
      ),
      ...closedNotes(host, folder),
      ...leftNotes(owners, site, [host.name, ...(input.others ?? [])]),
    ],
    limitations: [...host.limitations(site), ...redirectNotes(host, site)],
  };
};

const asideSentence = (path: string): string =>
  `Another file stands at ${path}: write to another folder with --to and merge the two.`;

/** The folder beside the database is the owner's alone. */
const closedNotes = ({ name, title, readsAsUser }: Host, folder: string): string[] => {
  const [closed] = readsAsUser === true ? findClosedFolders(folder) : [];
  return closed === undefined
    ? []
    : [
        `${title} runs as its own user, who cannot enter ${closed}: write the rules elsewhere, such as with --to /etc/${name}.`,
      ];
};

const isPlaced = (path: string, text: string): boolean =>
  existsSync(path) && readFileSync(path, 'utf8') === text;

/** Files of hosts that are no longer written, which are published with the others. A refusal is no host's own. */
const leftNotes = (owners: FileOwners, site: HostSite, hosts: readonly string[]): string[] => {
  const shared = `${contentOf(site)}/${OTHER_QUERY_FILE}`;
  return [...owners.others(site.output, hosts)].flatMap(([owner, all]) => {
    const [first, ...more] = all.filter((name) => name !== shared);
    if (first === undefined) return [];
    const names = more.length === 0 ? first : `${first} and ${more.length} more`;
    return [
      `The output also holds ${names}, written for ${owner}, and deploys send it. If you do not use it, run "prepress hosts remove ${owner}".`,
    ];
  });
};

const isInOutput = (file: HostFile): boolean => file.isInOutput === true;

/** Rules that no reader needs to see lie beside the database. */
const placeOf = (host: Host, site: HostSite, dataFolder: string): string =>
  host.place === 'output' ? site.output : join(dataFolder, 'hosts', host.name);

const contentOf = ({ basePath }: HostSite): string => `${basePath}/content`.slice(1);

/**
 * Places the `index.html` copies when they are asked for, and keeps those true that were placed before: a
 * post that was taken back must not stay readable in one. Null when there are none.
 */
export const writeCopies = async (
  site: HostSite,
  dataFolder: string,
  { asked }: { readonly asked: boolean },
): Promise<TreeCopiesReport | null> => {
  const place = {
    root: site.output,
    content: contentOf(site),
    record: join(dataFolder, RECORDS.copies),
  };
  clearHostStaging(place);
  if (!asked && !hasTreeCopies(place)) return null;
  return placeTreeCopies({ ...place, copies: indexCopies(site) });
};
