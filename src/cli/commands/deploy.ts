// prepress deploy: carries the output, as the last build left it, to a target.
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { PrepressError } from '../../base/errors.ts';
import type { Config } from '../../config/settings.ts';
import { deploy } from '../../deploy/deploy.ts';
import { createDirTarget } from '../../deploy/dir/target.ts';
import { createExecTarget } from '../../deploy/exec/target.ts';
import { listLocalFiles } from '../../deploy/local-files.ts';
import type { DeployTarget } from '../../deploy/target.ts';
import { isSelected } from '../../paths/selection.ts';
import { type DataPaths, dataPathsOf } from '../../publisher/paths.ts';
import { openManifest } from '../../store/sqlite/manifest-db.ts';
import { slugsOf } from '../after-build.ts';
import type { Run } from '../command.ts';
import { shown } from '../report.ts';

export const deployTo: Run = async ({ config, report, args, options }) => {
  const paths = dataPathsOf(config);
  const target = await createTarget(args[0] ?? '', { config, paths, options });
  const content = `${config.basePath}/content/`.slice(1);
  const selection = { profile: config.profile, variants: config.variants ?? null };
  const result = await deploy({
    target,
    files: listLocalFiles(paths.output).filter(({ path }) =>
      path.startsWith(content) ? isSelected(path.slice(content.length), selection) : true,
    ),
    content,
    onProgress: (done, total) =>
      report.progress({ done, total, text: `${shown(done)} files carried` }),
  });
  const { written, removed, unchanged } = result;
  report.say(`${written.length} files carried, ${removed.length} removed, ${unchanged} unchanged.`);
  report.data(result);
  return 0;
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
  if (name.startsWith('dir:') && rest !== '') return createDirTarget(resolve(rest));
  if (name.startsWith('exec:') && rest !== '') {
    return createExecTarget({
      command: rest,
      output: paths.output,
      purge: { basePath: config.basePath, slugOf: readSlugs(paths.manifest) },
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

/** The manifest is read once: a deploy does not hold it open. */
const readSlugs = (file: string): ReturnType<typeof slugsOf> => {
  if (!existsSync(file)) return () => undefined;
  const manifest = openManifest(file);
  try {
    return slugsOf(manifest);
  } finally {
    manifest.close();
  }
};
