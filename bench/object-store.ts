// An S3-compatible store of the bench's own, with one empty bucket.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from './processes.ts';

export const BUCKET = 'site';

export const STORE_KEYS = {
  AWS_ACCESS_KEY_ID: 'S3RVER',
  AWS_SECRET_ACCESS_KEY: 'S3RVER',
  AWS_REGION: 'us-east-1',
  AWS_EC2_METADATA_DISABLED: 'true',
};

type Store = { readonly child: ChildProcess; readonly url: string };

export const startStore = async (folder: string): Promise<Store> => {
  mkdirSync(folder, { recursive: true });
  const port = await findFreePort();
  const installed = createRequire(join(process.cwd(), 'package.json')).resolve(
    's3rver/package.json',
  );
  const program = join(dirname(installed), 'bin/s3rver.js');
  const options = ['-d', folder, '-a', '127.0.0.1', '-p', String(port), '--silent'];
  const child = spawn(
    process.execPath,
    // Its tokens for the next page are made by a cipher that OpenSSL calls legacy.
    ['--openssl-legacy-provider', program, ...options, '--configure-bucket', BUCKET],
    { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const url = `http://127.0.0.1:${port}`;
  while (
    !(await fetch(url).then(
      () => true,
      () => false,
    ))
  )
    await sleep(50);
  return { child, url };
};
