// The targets of deploys, as the setting `deploy` or the command line names them: what each gets of the output, and how it
// is opened. Credentials are the environment's; no name or message holds them.
import { createHash, hash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PrepressError } from '../../base/errors.ts';
import { loadOptional } from '../../base/optional-packages.ts';
import { RESOURCES } from '../../content/paths/endpoints.ts';
import { SUMMARY_FILE } from '../../content/paths/files.ts';
import { isSelected } from '../../content/paths/selection.ts';
import { SETTINGS_NAMES } from '../../content/paths/settings-names.ts';
import { findDocument } from '../../content/paths/sidecars.ts';
import type { DataPaths } from '../../settings/data-paths.ts';
import {
  type DeployPlace,
  type DeploySetting,
  deployKey,
  findDeployPlace,
  placesSentence,
  shownTarget,
} from '../../settings/deploy-targets.ts';
import type { Config } from '../../settings/settings.ts';
import type { PublishDeps } from '../cycle/publish-deps.ts';
import { createDirTarget } from '../deploy/dir/target.ts';
import { createExecTarget } from '../deploy/exec/target.ts';
import type { OutputSource } from '../deploy/output-source.ts';
import type { PurgeOptions } from '../deploy/purge/purge.ts';
import type { Destination } from '../deploy/sync-target.ts';
import type { DeployTarget } from '../deploy/target.ts';
import type { Target } from '../deploy/try-target.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { openWrittenFiles, RECORDS } from '../output/copies/written-files.ts';
import { purgeOptionsOf } from './purge-options.ts';

/** Null as a manifest: nothing was built here, or it is not known what. */
type Deps = Pick<PublishDeps, 'config' | 'paths' | 'clock'> & {
  readonly manifest: Manifest | null;
};

const contentOf = ({ basePath }: Config): string => `${basePath}/content/`.slice(1);

export const deploysFolderOf = ({ manifest }: DataPaths): string =>
  join(dirname(manifest), 'deploys');

export const outputSourceOf = ({ config, paths, manifest, clock }: Deps): OutputSource => ({
  output: paths.output,
  content: contentOf(config),
  buildLock: paths.buildLock,
  folder: deploysFolderOf(paths),
  manifest,
  clock,
});

export const targetsOf = (deps: Deps): Target[] =>
  deps.config.deploy.map((setting) => targetOf(deps, setting));

export const targetOf = (deps: Deps, setting: DeploySetting): Target => ({
  name: shownTarget(setting),
  id: deployIdOf(setting),
  destination: () => destinationOf(deps, setting),
});

/** Throws USAGE for a text that names no target. */
const destinationOf = (deps: Deps, setting: DeploySetting): Destination => {
  const { config, paths } = deps;
  const place = findDeployPlace(setting.target);
  if (place === null) throw new PrepressError('USAGE', placesSentence(setting.target));
  const content = contentOf(config);
  const selection = { profile: config.profile, variants: config.variants ?? null };
  // A bucket does not choose what to send: the network in front of it compresses.
  const isBucket = place.kind === 's3';
  const isOfHost = (name: string): boolean =>
    isSelected(name, selection) && !(isBucket && findDocument(name) !== null);
  const kept = hostFilesAt(place, paths);
  // Nor does it keep anything from its readers.
  const closed = new Set(
    isBucket ? SETTINGS_NAMES.flatMap((name) => [name, `${content}${name}`]) : [],
  );
  const facts = {
    root: paths.contentFolder,
    selection,
    copies: hasCopies(deps),
    kept: [...kept],
    ...(isBucket && { closed: [...closed] }),
  };
  return {
    name: shownTarget(setting),
    id: deployIdOf(setting),
    facts: createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 16),
    selected: {
      isCarried: (path) =>
        !closed.has(path) && (!path.startsWith(content) || isOfHost(path.slice(content.length))),
      isKept: (path) => kept.has(path),
      listsCarried: place.kind === 'exec',
    },
    ...(place.kind === 'dir' && { mark: () => markOf(join(place.folder, content)) }),
    open: (signal) => openTarget(place, { ...deps, setting, signal }),
  };
};

/** Of the file that a deploy puts last: a disk may be away, back with an older copy, or empty. */
const markOf = (contentFolder: string): string => {
  try {
    return hash('sha256', readFileSync(join(contentFolder, SUMMARY_FILE))).slice(0, 16);
  } catch {
    return '';
  }
};

export const deployIdOf = (setting: DeploySetting): string =>
  createHash('sha256').update(deployKey(setting)).digest('hex').slice(0, 16);

/** Whether the tree has `index.html` copies, and of which variants: they are made without a build. */
const hasCopies = ({ config, paths, manifest }: Deps): readonly string[] | null =>
  manifest !== null && purgeOptionsOf({ config, paths, manifest }).shown !== undefined
    ? config.defaultVariants
    : null;

/** Files that `hosts write --to` wrote into the folder: made for what it holds, not for the whole output. */
const hostFilesAt = (place: DeployPlace, paths: DataPaths): ReadonlySet<string> => {
  if (place.kind !== 'dir' || !existsSync(place.folder)) return new Set();
  const record = join(dirname(paths.manifest), RECORDS.hosts);
  return openWrittenFiles(record, realpathSync(place.folder)).paths;
};

type OpenInput = Deps & {
  readonly setting: DeploySetting;
  readonly signal: AbortSignal | undefined;
};

const openTarget = async (place: DeployPlace, input: OpenInput): Promise<DeployTarget> => {
  const { paths, setting, signal } = input;
  if (place.kind === 'dir') {
    const data = dirname(paths.manifest);
    return createDirTarget(place.folder, { output: paths.output, data });
  }
  if (place.kind === 'exec') {
    return createExecTarget({
      command: place.command,
      name: shownTarget(setting),
      output: paths.output,
      ...readPurge(input),
      folder: deploysFolderOf(paths),
      ...(signal !== undefined && { signal }),
    });
  }
  const { bucket, prefix } = place;
  const { endpoint, region, invalidate } = setting;
  // Few commands speak to a store: the others should not wait for its client.
  const { createS3Target } = await loadOptional(
    '@aws-sdk/client-s3',
    'Targets s3://',
    () => import('../deploy/s3/target.ts'),
  );
  const target = createS3Target({
    bucket,
    prefix,
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
    ...(signal !== undefined && { signal }),
  });
  if (invalidate === undefined) return target;
  const { withInvalidation } = await loadOptional(
    '@aws-sdk/client-cloudfront',
    'Invalidations of CloudFront',
    () => import('../deploy/cloudfront/invalidation.ts'),
  );
  return withInvalidation(target, {
    distribution: invalidate,
    basePath: input.config.basePath,
    folder: deploysFolderOf(paths),
  });
};

type PurgeFacts = {
  readonly purge: PurgeOptions;
  readonly slugs: Readonly<Record<string, readonly string[]>>;
};

const readPurge = ({ config, paths, manifest }: Deps): PurgeFacts => {
  if (manifest === null) return { purge: { basePath: config.basePath }, slugs: {} };
  const purge = purgeOptionsOf({ config, paths, manifest });
  return { purge, slugs: config.profile === 'by-id' ? slugsOfIds(manifest, purge) : {} };
};

const slugsOfIds = (manifest: Manifest, { slugOf }: PurgeOptions): PurgeFacts['slugs'] =>
  Object.fromEntries(
    RESOURCES.flatMap((resource) =>
      manifest.segments(resource).map(({ id, segment }) => {
        const slug = slugOf?.(resource, segment);
        return [`${resource}/${id}`, slug === undefined ? [segment] : [segment, slug]];
      }),
    ),
  );
