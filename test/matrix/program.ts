// Programs that serve: found on this machine or not, and a port for them.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';

/** Why a program's tests are skipped, or null when it is there. Where everything is checked, it must be. */
export const missing = (program: string, install: string): string | null => {
  try {
    findProgram(program);
    return null;
  } catch {
    const reason = `${program} is not installed: ${install}`;
    if (process.env.CI !== undefined) throw new Error(reason);
    return reason;
  }
};

/** The same for a file of a package, such as a module. */
export const missingFile = (file: string, install: string): string | null => {
  if (existsSync(file)) return null;
  const reason = `${file} is not installed: ${install}`;
  if (process.env.CI !== undefined) throw new Error(reason);
  return reason;
};

/** The path of a program; throws when there is none. */
export const findProgram = (program: string): string =>
  execFileSync('sh', ['-c', `command -v ${program}`], {
    env: { PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
    encoding: 'utf8',
  }).trim();

/** Below those that systems hand out (32768 on Linux, 49152 elsewhere): connections and servers of other tests take these. */
const PORTS = { from: 10_000, to: 32_000 } as const;

/** A port that nobody has; whoever asks for it listens soon. */
export const freePort = async (): Promise<number> => {
  const port = PORTS.from + Math.floor(Math.random() * (PORTS.to - PORTS.from));
  const server = createServer().listen(port, '127.0.0.1');
  // Rejects with the error that says that somebody has it.
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (!isFree) return freePort();
  server.close();
  await once(server, 'close');
  return port;
};
