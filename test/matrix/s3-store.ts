// An S3-compatible store in a process of its own, with one empty bucket.
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { freePort, type RunningProgram, startProgram } from './program.ts';

export const BUCKET = 'site';

/** What the store takes for an account's keys. */
export const STORE_ENVIRONMENT = {
  AWS_ACCESS_KEY_ID: 'S3RVER',
  AWS_SECRET_ACCESS_KEY: 'S3RVER',
  AWS_REGION: 'us-east-1',
  AWS_EC2_METADATA_DISABLED: 'true',
};

export type RunningStore = RunningProgram & { readonly endpoint: string };

export const startStore = async (folder: string): Promise<RunningStore> => {
  const port = await freePort();
  mkdirSync(folder, { recursive: true });
  const program = join(
    dirname(createRequire(import.meta.url).resolve('s3rver/package.json')),
    'bin',
    's3rver.js',
  );
  const options = ['-d', folder, '-a', '127.0.0.1', '-p', String(port), '--silent'];
  const running = await startProgram(
    // It makes its tokens for the next page with a cipher that OpenSSL calls legacy.
    [
      process.execPath,
      '--openssl-legacy-provider',
      program,
      ...options,
      '--configure-bucket',
      BUCKET,
    ],
    { cwd: folder, port },
  );
  return { ...running, endpoint: `http://127.0.0.1:${port}` };
};
