// Processes that tests started and did not end. Linux tells of them in /proc; elsewhere none is found.
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

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
  readonly folder: string;
};

/**
 * Processes that work in the folder of the run, or were told of it, and those below this process or of its group that
 * nobody waits for. The children of this process are the test runner's own.
 */
export const findLeftBehind = ({ before, folder }: Run): Process[] => {
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
      one.parent !== process.pid &&
      !before.has(one.life) &&
      (isBelow(one) || isOrphan(one) || worksIn(one, folder)),
  );
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
