// Finds out with strace which system calls of a program change files of its folder, and makes any one of
// them fail, or be the program's last.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { type Ended, runProgram, type Start } from './run-program.ts';

const hasStrace = (): boolean => {
  try {
    // A machine may have it and still not allow it.
    execFileSync('strace', ['-o', '/dev/null', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** Null when strace can be used here. */
export const STRACE_MISSING: string | null = hasStrace()
  ? null
  : 'needs strace (apt-get install strace) and leave to trace';

const BY_PATH = ['open', 'openat', 'mkdir', 'mkdirat', 'rename', 'renameat', 'renameat2'].concat([
  'link',
  'linkat',
  'unlink',
  'unlinkat',
  'rmdir',
  'symlink',
  'symlinkat',
]);
const BY_DESCRIPTOR = ['write', 'writev', 'pwrite64', 'pwritev', 'ftruncate', 'fsync'].concat([
  'fdatasync',
  'copy_file_range',
  'sendfile',
  'syncfs',
]);

export type Call = {
  readonly name: string;
  /** Counted among the calls of that name of one thread, which is how strace counts. */
  readonly ordinal: number;
  /** The file or folder; of two, the first. */
  readonly path: string;
  /** Counted among the calls of that name on that path. */
  readonly ordinalOnPath: number;
  /** The line of the trace, for messages. */
  readonly line: string;
};

/** One thread for file work, so that its calls come in one order. */
const ONE_THREAD = { UV_THREADPOOL_SIZE: '1' };

/** Runs the program to its end; returns its calls that change something below `folder`, in order. */
export const listMutations = async (start: Start): Promise<Call[]> => {
  const trace = join(temporaryFolder(), 'trace');
  const names = [...BY_PATH, ...BY_DESCRIPTOR].join(',');
  const through = ['strace', '-f', '-y', '-s', '300', '-o', trace, '-e', `trace=${names}`];
  const environment = { ...start.environment, ...ONE_THREAD };
  const { code, stderr } = await runProgram({ ...start, through, environment });
  if (code !== 0) throw new Error(`The traced run ended with ${code}: ${stderr}`);
  return parseTrace(readFileSync(trace, 'utf8'), start.folder);
};

const parseTrace = (text: string, folder: string): Call[] => {
  const counts = new Map<string, number>();
  const calls: Call[] = [];
  for (const line of text.split('\n')) {
    const [, thread = '', name = '', rest = ''] = /^(\d+) +(\w+)\((.*)$/.exec(line) ?? [];
    if (name === '') continue;
    const key = `${thread} ${name}`;
    const ordinal = (counts.get(key) ?? 0) + 1;
    counts.set(key, ordinal);
    if (!changes(name, rest, folder)) continue;
    const [, path = ''] = /["<](\/[^">]*)/.exec(rest.replace(/^AT_FDCWD<[^>]*>/, '')) ?? [];
    const pathKey = `${name} ${path}`;
    const ordinalOnPath = (counts.get(pathKey) ?? 0) + 1;
    counts.set(pathKey, ordinalOnPath);
    calls.push({ name, ordinal, path, ordinalOnPath, line });
  }
  return calls;
};

const changes = (name: string, rest: string, folder: string): boolean => {
  if (BY_DESCRIPTOR.includes(name)) return /^\d+</.test(rest) && rest.includes(`<${folder}/`);
  if (name.startsWith('open') && !/O_CREAT|O_TRUNC/.test(rest)) return false;
  return rest.includes(`"${folder}/`);
};

/** Runs the program until that call, and kills it there. */
export const runKilledAt = (start: Start, { name, ordinal }: Call): Promise<Ended> =>
  inject(start, ['-e', `trace=${name}`, '-e', `inject=${name}:signal=KILL:when=${ordinal}`]);

/** Runs the program; that call of it fails. Only calls on its path count: others have threads of their own. */
export const runFailingAt = (
  start: Start,
  { name, path, ordinalOnPath }: Call,
  error: string,
): Promise<Ended> =>
  inject(start, ['-P', path, '-e', `inject=${name}:error=${error}:when=${ordinalOnPath}`]);

/** Runs the program; from that call on, every one of its kind fails. */
export const runFailingFrom = (
  start: Start,
  { name, ordinal }: Call,
  error: string,
): Promise<Ended> =>
  inject(start, ['-e', `trace=${name}`, '-e', `inject=${name}:error=${error}:when=${ordinal}+`]);

const inject = (start: Start, flags: readonly string[]): Promise<Ended> =>
  runProgram({
    ...start,
    through: ['strace', '-f', '-qq', '-o', '/dev/null', ...flags],
    environment: { ...start.environment, ...ONE_THREAD },
  });

/** Runs the program to its end; returns the trace of all it did to files, with every byte it wrote. */
export const traceWithBytes = async (start: Start): Promise<string> => {
  const trace = join(temporaryFolder(), 'trace');
  const names = [...BY_PATH, ...BY_DESCRIPTOR].join(',');
  const show = ['-y', '-xx', '-s', '100000000', '-o', trace];
  const through = ['strace', '-f', ...show, '-e', `trace=${names}`];
  const environment = { ...start.environment, ...ONE_THREAD };
  const { code, stderr } = await runProgram({ ...start, through, environment });
  if (code !== 0) throw new Error(`The traced run ended with ${code}: ${stderr}`);
  return readFileSync(trace, 'utf8');
};
