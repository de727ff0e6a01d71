// A running `prepress serve` on a free port of loopback, with what a test does to it: requests with its
// keys, statements through a connection like the sqlite3 shell's, and its end.
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { onTestFinished } from 'vitest';
import { loadDriver, type SqliteConnection } from '../../src/base/sqlite/driver.ts';
import { spawnPrepress } from './run-prepress.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Webhooks may reach the receivers of the tests. */
export const RECEIVER_ALLOWED = { PREPRESS_WEBHOOK_ALLOW: '127.0.0.0/8' };

export const DATABASE = 'data/publication.db';
export const CONTENT = 'output/content';

export type Serving = {
  readonly folder: string;
  readonly url: string;
  readonly pid: number;
  readonly contentKey: string;
  readonly get: (path: string, init?: RequestInit) => Promise<Response>;
  /** A request of the admin interface; throws unless the answer is a success. */
  readonly admin: (method: string, path: string, body?: unknown) => Promise<unknown>;
  /** What it has logged so far. */
  readonly log: () => string;
  /** Ends the process and waits for it; returns the exit code, null after a signal. */
  readonly end: (signal?: NodeJS.Signals) => Promise<number | null>;
};

type ServeOptions = {
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly openFilesMax?: number;
};

/** Resolves when the first build is done; whoever starts it ends it. */
export const startServing = async (
  folder: string,
  options: ServeOptions = {},
): Promise<Serving> => {
  const { args = [], environment = {}, ...limits } = options;
  const child = spawnPrepress(folder, ['serve', '--port', '0', '--json', ...args], {
    environment: { ...RECEIVER_ALLOWED, ...environment },
    ...limits,
  });
  const log: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => log.push(chunk.toString()));
  const closed = once(child, 'close') as Promise<[number | null]>;
  const started = await new Promise<string>((resolve, reject) => {
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      if (printed.endsWith('}\n')) resolve(printed);
    });
    closed.then(([code]) => reject(new Error(`serve ended with ${code}: ${log.join('')}`)));
  });
  const { url, content_key: contentKey } = JSON.parse(started) as {
    url: string;
    content_key: string;
  };
  const get = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${url}${path}`, { redirect: 'manual', ...init });
  return {
    folder,
    url,
    pid: child.pid ?? 0,
    contentKey,
    get,
    admin: async (method, path, body) => {
      const response = await get(`/admin${path}`, {
        method,
        headers: {
          authorization: `Ghost ${await signToken(folder)}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const answer = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer}`);
      return answer === '' ? null : (JSON.parse(answer) as unknown);
    },
    log: () => log.join(''),
    end: async (signal = 'SIGTERM') => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      const [code] = await closed;
      return code;
    },
  };
};

/** The same, ended with the test. */
export const serve = async (folder: string, options: ServeOptions = {}): Promise<Serving> => {
  const serving = await startServing(folder, options);
  onTestFinished(async () => {
    await serving.end('SIGKILL');
  });
  return serving;
};

export const signToken = (folder: string): Promise<string> => {
  const [id = '', secret = ''] = readFileSync(join(folder, 'data/admin-key'), 'utf8')
    .trim()
    .split(':');
  // Five minutes would be refused where the second ends between two looks at the clock.
  return new SignJWT({})
    .setProtectedHeader({ alg: 'HS256', kid: id, typ: 'JWT' })
    .setIssuedAt()
    .setExpirationTime('4m')
    .setAudience('/admin/')
    .sign(Buffer.from(secret, 'hex'));
};

/** A copy of a publication whose folder nobody uses; it is removed with the test. */
export const copyPublication = (template: string): string => {
  const folder = temporaryFolder();
  for (const part of ['data', 'output']) {
    const source = join(template, part);
    if (existsSync(source)) cpSync(source, join(folder, part), { recursive: true });
  }
  return folder;
};

/** A connection like the sqlite3 shell's, closed with the test. */
export const openShell = (folder: string): SqliteConnection => {
  const shell = new (loadDriver())(join(folder, DATABASE), { timeout: 60_000 });
  onTestFinished(() => {
    shell.close();
  });
  return shell;
};
