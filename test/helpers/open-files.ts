// What a process has open, as Linux tells it.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export const canCountFiles = process.platform === 'linux';

/** Names of what is open in a process whose names contain `part`; this process when no id is given. */
export const openFiles = (part: string, pid: number | 'self' = 'self'): string[] => {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder)
    .map((name) => nameOf(`${folder}/${name}`))
    .filter((name) => name.includes(part));
};

/** It may be closed by now. */
const nameOf = (descriptor: string): string => {
  try {
    return readlinkSync(descriptor);
  } catch {
    return '';
  }
};

/** Memory of a process that is in RAM, in MiB: the most so far, or now. */
export const memoryMb = (pid: number, what: 'VmHWM' | 'VmRSS'): number => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${what}:\\s+(\\d+)`).exec(status)?.[1] ?? Number.NaN) / 1024;
};
