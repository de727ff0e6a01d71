// Runs programs and measures them from outside: wall seconds, and the largest memory that the system saw
// the process have, all its threads together.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

export type Measured = {
  readonly seconds: number;
  /** Peak resident memory in MB (10^6 bytes); null where the system does not tell. */
  readonly peakMb: number | null;
  readonly stdout: string;
};

type RunOptions = { readonly cwd?: string; readonly environment?: NodeJS.ProcessEnv };

/** The peak only grows, so what is missed is the growth since the last look before the end. */
const LOOK_EVERY_MS = 20;

/** Throws when the program ends with anything but 0. */
export const run = async (
  command: string,
  args: readonly string[],
  { cwd, environment = {} }: RunOptions = {},
): Promise<Measured> => {
  const started = performance.now();
  const child = spawn(command, args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let peakMb: number | null = null;
  const looking = setInterval(() => {
    peakMb = findPeakMb(child.pid) ?? peakMb;
  }, LOOK_EVERY_MS);
  try {
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number | null]>,
    ]);
    const seconds = (performance.now() - started) / 1000;
    if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${stderr}`);
    return { seconds, peakMb, stdout };
  } finally {
    clearInterval(looking);
  }
};

/** Peak resident memory of a running process in MB. */
export const findPeakMb = (pid: number | undefined): number | null => findMb(pid, 'VmHWM');

export const findResidentMb = (pid: number | undefined): number | null => findMb(pid, 'VmRSS');

const findMb = (pid: number | undefined, name: string): number | null => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1];
    return kilobytes === undefined ? null : (Number(kilobytes) * 1024) / 1e6;
  } catch {
    return null;
  }
};

/** A line of shell, with its output thrown away; words in `places` are quoted into it. */
export const shell = (line: string, cwd?: string): Promise<Measured> =>
  run('sh', ['-c', line], cwd === undefined ? {} : { cwd });

export const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** A tree, sooner than Node.js does it. */
export const remove = async (path: string): Promise<void> => {
  await shell(`rm -rf ${quote(path)}`);
};

/** True when a program of this name can be started. */
export const hasProgram = async (name: string): Promise<boolean> => {
  try {
    await shell(`command -v ${quote(name)}`);
    return true;
  } catch {
    return false;
  }
};

/**
 * A virtual machine gives free memory back to its host, bit by bit: after five seconds a page still cost 1.4 µs to use
 * again, after twenty 5, and after a hundred 6. Zero where no time is looked at.
 */
export const PAUSES = { untilFreed: 20_000 };

/**
 * Waits until nothing is left to be written to the disk, so that nobody's writes count as another's, and, unless what
 * follows is to be warm, nothing is left of the memory that whoever was measured before has freed: it is faster than
 * memory that the host has to give.
 */
export const settle = async (folder: string, { isWarm = false } = {}): Promise<void> => {
  await shell(`sync -f ${quote(folder)}`);
  if (!isWarm) await sleep(PAUSES.untilFreed);
};

/** A port of loopback that nobody has; whoever asks for it listens soon. */
export const findFreePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};
