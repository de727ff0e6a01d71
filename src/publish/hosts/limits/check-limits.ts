// Compares what a host would get with what it takes, before anything is written.
import { PrepressError } from '../../../base/errors.ts';
import { shown } from '../../../base/text/counted.ts';
import { EVERYTHING, type Profile } from '../../../content/paths/selection.ts';
import type { Host, HostFile, HostSite } from '../host.ts';
import { treeFiguresOf, uploadFiguresOf } from './tree-figures.ts';

export type LimitLine = {
  readonly what: string;
  readonly have: number;
  readonly max: number;
};

export type LimitInput = {
  readonly host: Host;
  readonly files: readonly HostFile[];
  readonly site: HostSite;
  /** The whole output is uploaded, whatever the selection leaves out of deploys. */
  readonly isWhole: boolean;
};

/** One line for each limit that the host has, with the numbers that writing would lead to. */
export const limitLines = ({ host, files, site, isWhole }: LimitInput): LimitLine[] => {
  const { limits, countRules, copies } = host;
  const { filesMax, fileBytesMax, treeBytesMax, folderEntriesMax } = limits;
  const isOfTree = [filesMax, fileBytesMax, treeBytesMax, folderEntriesMax].some(Boolean);
  const treeFiles = host.uploads === 'output' ? withSidecars(site) : site.treeFiles;
  // A large tree takes a while to add up.
  const tree = uploadFiguresOf(
    {
      ...site,
      treeFiles: isOfTree ? treeFiles : () => [],
      ...(isWhole && { selection: EVERYTHING }),
      ...(!isOfTree && { otherFiles: () => [] }),
    },
    { files, copies: copies?.(site) ?? [] },
  );
  const largest = Math.max(0, ...files.map(({ text }) => Buffer.byteLength(text)));
  const rows: readonly (readonly [string, number, number | undefined])[] = [
    ['files', tree.files, limits.filesMax],
    [`bytes of ${tree.largest.path}`, tree.largest.bytes, limits.fileBytesMax],
    ['bytes in all', tree.bytes, limits.treeBytesMax],
    [`entries of ${tree.folder.path}`, tree.folder.entries, limits.folderEntriesMax],
    [RULES, countRules?.(files) ?? 0, limits.rulesMax],
    [HOST_FILE, largest, limits.hostFileBytesMax],
    [PARAMETER, longestParameter(files), limits.parameterBytesMax],
  ];
  return rows.flatMap(([what, have, max]) => (max === undefined ? [] : [{ what, have, max }]));
};

/** What stands between quotation marks in rules; code has no such limit. */
const longestParameter = (files: readonly HostFile[]): number =>
  files
    .filter(({ path }) => !path.endsWith('.js'))
    .flatMap(({ text }) => text.split(/["\n]/))
    .reduce((longest, part) => Math.max(longest, Buffer.byteLength(part)), 0);

const withSidecars = ({ treeFiles, sidecars }: HostSite): HostSite['treeFiles'] =>
  function* () {
    yield* treeFiles();
    yield* sidecars();
  };

/** Throws VALIDATION with every limit that is passed, and with what would stay within them. */
export const checkLimits = (host: Host, lines: readonly LimitLine[], site: HostSite): void => {
  const passed = lines.filter(isPassed);
  if (passed.length === 0) return;
  const sentences = passed.map(
    ({ what, have, max }) => `${shown(have)} ${what}, of at most ${shown(max)}`,
  );
  const isCode = passed.some(({ what }) => [RULES, HOST_FILE, PARAMETER].includes(what));
  const hint = isCode ? CODE_ADVICE : advice(host, site);
  const message = `${host.title} would get ${sentences.join('; ')}.${hint}`;
  throw new PrepressError('VALIDATION', message, { details: passed });
};

const RULES = 'rules';
const PARAMETER = 'bytes in the longest quoted text of its rules';
const HOST_FILE = 'bytes of the largest file for the host';

const CODE_ADVICE =
  ' Each slug that a file name cannot hold and each content key needs its place there: rename such slugs, or revoke keys that nobody uses.';

const isPassed = ({ have, max }: LimitLine): boolean => have > max;

/** The first profile with fewer files that the host can serve and that helps. */
const advice = (host: Host, site: HostSite): string => {
  const { filesMax = Number.POSITIVE_INFINITY, folderEntriesMax = Number.POSITIVE_INFINITY } =
    host.limits;
  const smaller = FEWER_FILES.slice(FEWER_FILES.indexOf(site.selection.profile) + 1);
  for (const profile of smaller.filter((one) => host.profiles?.includes(one))) {
    const { files, folder } = treeFiguresOf({ ...site, selection: { ...site.selection, profile } });
    if (files <= filesMax && folder.entries <= folderEntriesMax) {
      return ` With the profile ${profile} it would get ${shown(files)} files.`;
    }
  }
  return '';
};

const FEWER_FILES: readonly Profile[] = ['by-id', 'packed'];
