// A running `prepress serve` of any bundle: started, asked through the admin interface, and ended or killed
// by whoever started it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { signToken } from '../helpers/serve.ts';
import { COMMAND } from './program.ts';

export type Server = {
  readonly url: string;
  readonly pid: number;
  /** A request of the admin interface: its status and body, whatever they are. */
  readonly ask: (method: string, path: string, body?: unknown) => Promise<Answer>;
  /** The same; throws unless it succeeds. */
  readonly admin: (method: string, path: string, body?: unknown) => Promise<Answer['body']>;
  readonly log: () => string;
  readonly end: (signal?: NodeJS.Signals) => Promise<void>;
};

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by tests, each in its own way
export type Answer = { readonly status: number; readonly body: any };

export type ServerOptions = {
  /** A bundle of the command line; the built command when left out. */
  readonly program?: string;
  readonly environment?: Readonly<Record<string, string>>;
};

/** Resolves when it listens and its first build is done. */
export const startServer = async (
  folder: string,
  { program = COMMAND, environment = {} }: ServerOptions = {},
): Promise<Server> => {
  const child = spawn(process.execPath, [program, 'serve', '--port', '0', '--json', '--dev'], {
    cwd: folder,
    env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => log.push(chunk.toString()));
  const closed = once(child, 'close');
  const url = await new Promise<string>((resolve, reject) => {
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      if (printed.endsWith('}\n')) resolve((JSON.parse(printed) as { url: string }).url);
    });
    closed.then(() => reject(new Error(`serve ended: ${log.join('')}`)));
  });
  const ask = (method: string, path: string, body?: unknown): Promise<Answer> =>
    request({ folder, url, method, path, body });
  return {
    url,
    pid: child.pid ?? 0,
    ask,
    admin: async (method, path, body) => {
      const answer = await ask(method, path, body);
      if (answer.status < 300) return answer.body;
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    },
    log: () => log.join(''),
    end: async (signal = 'SIGTERM') => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      await closed;
    },
  };
};

/** Starts the built command and kills it so many milliseconds later: any moment will do, and nothing hangs on which. */
export const killWhileStarting = async (folder: string, afterMs: number): Promise<void> => {
  const child = spawn(process.execPath, [COMMAND, 'serve', '--port', '0', '--dev'], {
    cwd: folder,
    env: { PATH: process.env.PATH },
    stdio: 'ignore',
  });
  const closed = once(child, 'close');
  setTimeout(() => child.kill('SIGKILL'), afterMs);
  await closed;
};

type Question = {
  readonly folder: string;
  readonly url: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
};

const request = async ({ folder, url, method, path, body }: Question): Promise<Answer> => {
  const response = await fetch(`${url}/admin${path}`, {
    method,
    headers: {
      authorization: `Ghost ${await signToken(folder)}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
};
