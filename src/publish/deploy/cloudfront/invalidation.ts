// Makes CloudFront forget what a deploy changed. The paths are kept beside the database from before the first
// object changes until CloudFront has them, so that a run that broke off in between is made up for by the next.
import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CloudFrontClient, CreateInvalidationCommand } from '@aws-sdk/client-cloudfront';
import * as z from 'zod';
import { PrepressError } from '../../../base/errors.ts';
import { readJsonFile } from '../../../base/files/read-json.ts';
import { writeWhole } from '../../../base/files/write-whole.ts';
import { isBlobBelow } from '../../../content/paths/files.ts';
import { everyAddress, pageAddresses } from '../purge/purge.ts';
import type { DeployPlan, DeployTarget } from '../target.ts';

type InvalidationOptions = {
  readonly distribution: string;
  readonly basePath: string;
  /** The folder `deploys` beside the database. */
  readonly folder: string;
};

/** CloudFront takes 3,000 at once, and asks money for each; everything counts as one. */
const PATHS_MAX = 1_000;

export const withInvalidation = (
  target: DeployTarget,
  { distribution, basePath, folder }: InvalidationOptions,
): DeployTarget => {
  const file = join(folder, `cloudfront-${distribution}.json`);
  return {
    ...target,
    begin: async (plan) => {
      await target.begin?.(plan);
      const paths = new Set([...readPending(file), ...pathsOf(plan, basePath)]);
      if (paths.size > 0) savePending(file, [...paths]);
    },
    finish: async (report) => {
      await target.finish?.(report);
      const paths = readPending(file);
      if (paths.length === 0) return;
      await invalidate(distribution, paths.length > PATHS_MAX ? everyAddress(basePath) : paths);
      rmSync(file, { force: true });
    },
  };
};

/** The function rewrites addresses to files before the cache is asked; both names are forgotten. */
const pathsOf = ({ written, removed }: DeployPlan, basePath: string): string[] => {
  const content = `${basePath}/content/`;
  // Nobody asked for a blob before it was named.
  const forgotten = written.filter((path) => !isBlobBelow(content.slice(1), path));
  const paths = [...forgotten, ...removed].flatMap((path) => {
    const name = `/${path.split('/').map(encodeURIComponent).join('/')}`;
    const isDocument = name.startsWith(content) && name.endsWith('.json');
    return isDocument ? [name, `${dirname(name)}/`] : pageAddresses(path);
  });
  return [...new Set(paths)];
};

const invalidate = async (distribution: string, paths: readonly string[]): Promise<void> => {
  const client = new CloudFrontClient({ region: 'us-east-1' });
  const Paths = { Quantity: paths.length, Items: [...paths] };
  const InvalidationBatch = { CallerReference: randomUUID(), Paths };
  try {
    await client.send(
      new CreateInvalidationCommand({ DistributionId: distribution, InvalidationBatch }),
    );
  } catch (cause) {
    const { name, message } = cause instanceof Error ? cause : new Error();
    const reason = name === 'Error' ? message : name;
    throw new PrepressError(
      'DEPLOY_FAILED',
      `The files are in place, but CloudFront answered ${reason}: the next run asks again.`,
      { cause },
    );
  } finally {
    client.destroy();
  }
};

const pending = z.array(z.string());

/** A list that cannot be read may have held anything. */
const readPending = (file: string): string[] =>
  existsSync(file) ? (readJsonFile(pending, file) ?? ['/*']) : [];

const savePending = (file: string, paths: readonly string[]): void => {
  writeWhole(file, JSON.stringify(paths));
};
