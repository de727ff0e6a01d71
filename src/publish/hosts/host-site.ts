// What a host is told about the publication, read from the settings and the manifest.
import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { RESOURCES } from '../../content/paths/endpoints.ts';
import { GUARDED_FOLDERS, NOT_FOUND_FILE, SUMMARY_FILE } from '../../content/paths/files.ts';
import type { Profile } from '../../content/paths/selection.ts';
import { hasSidecars, sidecarOf } from '../../content/paths/sidecars.ts';
import { databaseFileOf, findPostgres } from '../../settings/database-address.ts';
import type { Config } from '../../settings/settings.ts';
import { listPagesOf, siteUrlOf } from '../build/output-settings.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { openWrittenFiles, RECORDS } from '../output/copies/written-files.ts';
import type { Host, HostSite } from './host.ts';
import { accountName } from './rules/publication-name.ts';

type Overrides = Partial<
  Pick<
    HostSite,
    'accountName' | 'isShield' | 'keyHashes' | 'origin' | 'redirects' | 'root' | 'selection'
  >
>;

export const hostSiteOf = (
  config: Config,
  manifest: Manifest,
  overrides: Overrides = {},
): HostSite => ({
  basePath: config.basePath,
  output: resolve(config.output),
  accountName: accountName(siteUrlOf(config, null), config.basePath),
  root: config.hostRoot ?? resolve(config.output),
  names: manifest.storedSegments(),
  paged: listPagesOf(config) === 1 ? [] : RESOURCES,
  queries: {
    otherQueries: config.otherQueries,
    staleSeconds: config.otherQueriesStaleSeconds,
    max: config['lists.max'],
    listPages: listPagesOf(config),
  },
  redirects: [],
  keyHashes: null,
  isShield: config.hostShield,
  checksKey: config.contentKey === 'required' || config.hostKeys,
  origin: config.hostOrigin,
  selection: { profile: config.profile, variants: config.variants ?? null },
  defaultVariants: config.defaultVariants,
  segments: manifest.segments,
  treeFiles: manifest.allFiles,
  isShared: findPostgres(config) !== null,
  hasSizes: existsSync(join(resolve(config.output), config.basePath, 'content/images/size')),
  encodings: config.precompress,
  sidecars: () => listSidecars(config, manifest),
  otherFiles: () => [
    ...listOtherFiles(resolve(config.output), config.basePath),
    ...listPlacedInTree(config),
  ],
  ...overrides,
});

/** Copies and maps that stand among the tree's own files, whichever host they were placed for. */
const listPlacedInTree = (config: Config): OtherFile[] => {
  const { output, basePath } = config;
  const root = resolve(output);
  if (!existsSync(root)) return [];
  const content = `${basePath}/content/`.slice(1);
  return [RECORDS.copies, RECORDS.hosts]
    .flatMap((name) => [
      ...openWrittenFiles(join(dirname(databaseFileOf(config)), name), realpathSync(root)).paths,
    ])
    .filter((path) => RESOURCES.some((resource) => path.startsWith(`${content}${resource}/`)))
    .flatMap((path) => {
      const size = lstatSync(join(root, path), { throwIfNoEntry: false })?.size;
      return size === undefined ? [] : [{ path, size }];
    });
};

/** The manifest has what they are of, the disk how large they are. */
function* listSidecars(
  { output, basePath, precompress }: Config,
  manifest: Manifest,
): Generator<{ path: string; size: number }> {
  if (precompress.length === 0) return;
  const content = join(resolve(output), basePath, 'content');
  for (const { path } of manifest.allFiles()) {
    if (!hasSidecars(path)) continue;
    for (const encoding of precompress) {
      const sidecar = sidecarOf(path, encoding);
      const size = lstatSync(join(content, sidecar), { throwIfNoEntry: false })?.size ?? 0;
      yield { path: sidecar, size };
    }
  }
}

/** The profile that a host is written with: the one asked for where it can serve it, else its usual one. */
export const profileFor = ({ profiles = ['literal'] }: Host, asked: Profile): Profile =>
  profiles.includes(asked) ? asked : (profiles[0] ?? 'literal');

type OtherFile = {
  /** Relative to the output, with `/`. */
  readonly path: string;
  readonly size: number;
};

const OF_TREE = new Set<string>([...GUARDED_FOLDERS, NOT_FOUND_FILE, SUMMARY_FILE]);

/** Folders of the tree are not read: the manifest knows them. */
export const listOtherFiles = (output: string, basePath: string): OtherFile[] => {
  const content = join(output, basePath, 'content');
  const isLeftOut = (folder: string, name: string): boolean =>
    name.startsWith('.prepress-') || (folder === content && OF_TREE.has(name));
  return walk(output, isLeftOut).map((path) => ({
    path: relative(output, path).split(sep).join('/'),
    size: statSync(path, { throwIfNoEntry: false })?.size ?? 0,
  }));
};

const walk = (folder: string, isLeftOut: (folder: string, name: string) => boolean): string[] =>
  (existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [])
    .filter(({ name }) => !isLeftOut(folder, name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return walk(path, isLeftOut);
      return entry.isFile() ? [path] : [];
    });
