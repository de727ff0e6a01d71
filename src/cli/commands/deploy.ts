// prepress deploy: carries the output, as the last build left it, to a target.

import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { purgeOptionsOf } from '../../after-build/purge-options.ts';
import { leftOut } from '../../after-build/write-hosts.ts';
import { PrepressError } from '../../base/errors.ts';
import { blobFile } from '../../base/packed-names.ts';
import type { Config } from '../../config/settings.ts';
import { type Carried, EVERYTHING_CARRIED, openCarried } from '../../deploy/carried.ts';
import { deploy } from '../../deploy/deploy.ts';
import { createDirTarget } from '../../deploy/dir/target.ts';
import { createExecTarget } from '../../deploy/exec/target.ts';
import { listLocalFiles } from '../../deploy/local-files.ts';
import type { DeployTarget } from '../../deploy/target.ts';
import { openPageRecord } from '../../emit/page-record.ts';
import { RESOURCES } from '../../paths/endpoints.ts';
import type { PurgeOptions } from '../../paths/purge.ts';
import { isSelected } from '../../paths/selection.ts';
import { findDocument } from '../../paths/sidecars.ts';
import { type DataPaths, dataPathsOf } from '../../publisher/paths.ts';
import type { Manifest } from '../../store/manifest.ts';
import { openManifest } from '../../store/sqlite/manifest-db.ts';
import type { Run } from '../command.ts';
import { shown } from '../report.ts';

export const deployTo: Run = async ({ config, report, args, options }) => {
  const paths = dataPathsOf(config);
  const target = await createTarget(args[0] ?? '', { config, paths, options });
  const content = `${config.basePath}/content/`.slice(1);
  const selection = { profile: config.profile, variants: config.variants ?? null };
  // A bucket does not choose what to send: the network in front of it compresses.
  const takesSidecars = !args[0]?.startsWith('s3:');
  const isCarried = (name: string): boolean =>
    isSelected(name, selection) && (takesSidecars || findDocument(name) === null);
  const kept = hostFilesAt(args[0] ?? '', paths);
  const files = listLocalFiles(paths.output).filter(
    ({ path }) =>
      !kept.has(path) && (!path.startsWith(content) || isCarried(path.slice(content.length))),
  );
  refuseMissing(paths, new Set(files.map(({ path }) => path)), content);
  const result = await deploy({
    target: without(kept, target),
    files,
    content,
    carried: carriedTo(args[0] ?? '', { paths, options }),
    onProgress: (done, total) =>
      report.progress({ done, total, text: `${shown(done)} files carried` }),
  });
  const { written, removed, unchanged } = result;
  if (config.profile === 'by-id' || config.profile === 'packed') {
    report.say(
      `Note: ${leftOut(config.profile)} are left out, as the profile ${config.profile} says: the host has to have it too.`,
    );
  }
  report.say(`${written.length} files carried, ${removed.length} removed, ${unchanged} unchanged.`);
  report.data(result);
  return 0;
};

/** Blobs that the root names and that are gone from the output would go from the target, too. */
const refuseMissing = (paths: DataPaths, files: ReadonlySet<string>, content: string): void => {
  if (!existsSync(paths.manifest)) return;
  const manifest = openManifest(paths.manifest);
  try {
    const isDescribed = manifest.state()?.root === realpathSync(paths.contentFolder);
    const missing = manifest.blobNames().find((name) => !files.has(content + blobFile(name)));
    if (!isDescribed || missing === undefined) return;
    const sentence = `${content}${blobFile(missing)} is missing in the output; "prepress build --full" writes it again.`;
    throw new PrepressError('OUTPUT_DIFFERS', sentence);
  } finally {
    manifest.close();
  }
};

/** Files that `hosts write --to` wrote into the folder: made for what it holds, not for the whole output. */
const hostFilesAt = (name: string, paths: DataPaths): ReadonlySet<string> => {
  const folder = name.startsWith('dir:') ? resolve(name.slice('dir:'.length)) : '';
  if (folder === '' || !existsSync(folder)) return new Set();
  return openPageRecord(join(dirname(paths.manifest), 'host-files.json'), realpathSync(folder))
    .paths;
};

const without = (kept: ReadonlySet<string>, target: DeployTarget): DeployTarget => ({
  ...target,
  list: async () => new Map([...(await target.list())].filter(([path]) => !kept.has(path))),
});

const carriedTo = (
  name: string,
  { paths, options }: Pick<TargetOptions, 'paths' | 'options'>,
): Carried => {
  if (name.startsWith('exec:')) return EVERYTHING_CARRIED;
  const place = name.startsWith('dir:') ? resolve(name.slice('dir:'.length)) : name;
  return openCarried(dirname(paths.manifest), JSON.stringify([place, options.endpoint ?? null]));
};

type TargetOptions = {
  readonly config: Config;
  readonly paths: DataPaths;
  readonly options: Readonly<Record<string, unknown>>;
};

const createTarget = async (
  name: string,
  { config, paths, options }: TargetOptions,
): Promise<DeployTarget> => {
  const rest = name.slice(name.indexOf(':') + 1);
  if (name.startsWith('dir:') && rest !== '') {
    return createDirTarget(resolve(rest), { output: paths.output });
  }
  if (name.startsWith('exec:') && rest !== '') {
    return createExecTarget({
      command: rest,
      output: paths.output,
      ...readPurge(config, paths),
      dataFolder: dirname(paths.manifest),
    });
  }
  const found = /^s3:\/\/([a-z0-9.-]+)(?:\/(.*?))?\/?$/.exec(name);
  if (found === null) {
    throw new PrepressError('USAGE', 'A target is dir:/path, s3://bucket/prefix or exec:COMMAND.');
  }
  // Few commands speak to a store: the others should not wait for its client.
  const { createS3Target } = await import('../../deploy/s3/target.ts');
  const bucket = createS3Target({
    bucket: found[1] ?? '',
    prefix: found[2] ?? '',
    ...(typeof options.endpoint === 'string' && { endpoint: options.endpoint }),
    ...(typeof options.region === 'string' && { region: options.region }),
  });
  if (typeof options.invalidate !== 'string') return bucket;
  const { withInvalidation } = await import('../../deploy/cloudfront/invalidation.ts');
  return withInvalidation(bucket, {
    distribution: options.invalidate,
    basePath: config.basePath,
    dataFolder: dirname(paths.manifest),
  });
};

type PurgeFacts = {
  readonly purge: PurgeOptions;
  readonly slugs: Readonly<Record<string, readonly string[]>>;
};

/** The manifest is read once: a deploy does not hold it open. */
const readPurge = (config: Config, paths: DataPaths): PurgeFacts => {
  if (!existsSync(paths.manifest)) return { purge: { basePath: config.basePath }, slugs: {} };
  const manifest = openManifest(paths.manifest);
  try {
    const purge = purgeOptionsOf({ config, paths, manifest });
    return { purge, slugs: config.profile === 'by-id' ? slugsOfIds(manifest, purge) : {} };
  } finally {
    manifest.close();
  }
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
