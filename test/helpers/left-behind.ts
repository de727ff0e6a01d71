// Processes that tests started and did not end. Linux tells of them in /proc; elsewhere none is found.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';

export type Process = {
  readonly id: number;
  readonly parent: number;
  readonly group: number;
  /** One text for each process that ever was: ids are used again. */
  readonly life: string;
  readonly command: string;
};

export const listProcesses = (): Process[] =>
  existsSync('/proc/self/stat')
    ? readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .flatMap((name) => findProcess(Number(name)) ?? [])
    : [];

/** Null when it has ended, also when nobody has asked yet how. */
const findProcess = (id: number): Process | null => {
  const stat = attempt(() => readFileSync(`/proc/${id}/stat`, 'utf8'));
  if (stat === null) return null;
  // The name before it may hold anything.
  const [state = '', parent, group, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if ('ZX'.includes(state)) return null;
  const command = attempt(() => readFileSync(`/proc/${id}/cmdline`, 'utf8')) ?? '';
  return {
    id,
    parent: Number(parent),
    group: Number(group),
    life: `${id} ${rest[16]}`,
    command: command.replaceAll('\0', ' ').trim().slice(0, 200),
  };
};

type Run = {
  /** Lives of the processes that were there before. */
  readonly before: ReadonlySet<string>;
  /** For temporary files of the run. */
  readonly folders: readonly string[];
};

/**
 * Processes that work in a folder of the run, or were told of it, and those below this process or of its group that
 * nobody waits for. The children of this process are the test runner's own.
 */
export const findLeftBehind = (run: Run): Process[] =>
  findStarted(run).filter(({ parent }) => parent !== process.pid);

const findStarted = ({ before, folders }: Run): Process[] => {
  const all = listProcesses();
  const byId = new Map(all.map((one) => [one.id, one]));
  const group = byId.get(process.pid)?.group;
  const isBelow = ({ parent }: Process): boolean => {
    const above = byId.get(parent);
    return parent === process.pid || (above !== undefined && isBelow(above));
  };
  const isOrphan = ({ group: own, parent }: Process): boolean =>
    own === group && byId.get(parent)?.group !== group;
  return all.filter(
    (one) =>
      !before.has(one.life) &&
      (isBelow(one) || isOrphan(one) || folders.some((folder) => worksIn(one, folder))),
  );
};

const CLEAR_LOOKS = 500;
const CLEAR_PAUSE_MS = 20;

/** Ends all that a run started, the test runner's own processes too, and removes its folders; returns when that is done. */
export const clearRun = (run: Run): void => {
  for (let looks = 0; looks < CLEAR_LOOKS; looks += 1) {
    const found = findStarted(run);
    if (found.length === 0) break;
    for (const { id } of found) attempt(() => process.kill(id, 'SIGKILL'));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, CLEAR_PAUSE_MS);
  }
  removeFolders(run.folders);
};

/** Removes folders, after what was mounted below them. */
export const removeFolders = (folders: readonly string[]): void => {
  const mounts = attempt(() => readFileSync('/proc/mounts', 'utf8')) ?? '';
  const places = mounts.split('\n').map((line) => line.split(' ')[1] ?? '');
  for (const folder of folders) {
    const below = places.filter((place) => place.startsWith(`${folder}/`));
    for (const place of below.reverse()) spawnSync('umount', [place]);
    rmSync(folder, { recursive: true, force: true });
  }
};

const worksIn = ({ id }: Process, folder: string): boolean => {
  const place = attempt(() => readlinkSync(`/proc/${id}/cwd`)) ?? '';
  const environment = attempt(() => readFileSync(`/proc/${id}/environ`, 'utf8')) ?? '';
  return `${place}/`.startsWith(`${folder}/`) || environment.includes(folder);
};

const attempt = <T>(read: () => T): T | null => {
  try {
    return read();
  } catch {
    return null;
  }
};
