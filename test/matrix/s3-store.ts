// An S3-compatible store in a process of its own, with one empty bucket.
import { mkdirSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { freePort } from './program.ts';
import { type RunningProgram, startProgram } from './start-program.ts';

export const BUCKET = 'site';

/** What the store takes for an account's keys. */
export const STORE_ENVIRONMENT = {
  AWS_ACCESS_KEY_ID: 'S3RVER',
  AWS_SECRET_ACCESS_KEY: 'S3RVER',
  AWS_REGION: 'us-east-1',
  AWS_EC2_METADATA_DISABLED: 'true',
};

export type RunningStore = RunningProgram & { readonly endpoint: string };

export const startStore = async (folder: string, bucket = BUCKET): Promise<RunningStore> => {
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
      bucket,
    ],
    { cwd: folder, port },
  );
  return { ...running, endpoint: `http://127.0.0.1:${port}` };
};

export type Gate = {
  readonly endpoint: string;
  /** Whether requests reach the store. */
  isOpen: boolean;
  /** Called when so many objects were sent. */
  onPut: (count: number) => void;
};

/** The way to a store, which sees what is sent there; closed with the test. */
export const startGate = async (endpoint: string): Promise<Gate> => {
  let puts = 0;
  const server = createServer((asked, answer) => {
    if (!gate.isOpen) return void asked.socket.destroy();
    const { method, headers } = asked;
    const sent = request(`${endpoint}${asked.url}`, { method, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 500, got.headers);
      got.pipe(answer);
    });
    sent.on('error', () => answer.destroy());
    asked.on('close', () => asked.complete || sent.destroy());
    asked.pipe(sent);
    if (method !== 'PUT') return;
    puts += 1;
    gate.onPut(puts);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const gate: Gate = { endpoint: `http://127.0.0.1:${port}`, isOpen: true, onPut: () => undefined };
  return gate;
};
