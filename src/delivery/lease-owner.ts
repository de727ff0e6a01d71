// Names the holder of a lease so that another program on the same machine can tell whether it still
// lives: host name, process id, this life of the process (ids are used again), and one deliverer in it.
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

const LIFE = randomBytes(4).toString('hex');

export const createLeaseOwner = (): string =>
  [hostname(), process.pid, LIFE, randomBytes(4).toString('hex')].join('/');

/** True when the owner was a process of this machine that has ended; false when that is unknown. */
export const isDeadOwner = (owner: string): boolean => {
  const [host, pid, life] = owner.split('/');
  if (host !== hostname()) return false;
  return Number(pid) === process.pid ? life !== LIFE : !isAlive(Number(pid));
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return cause instanceof Error && 'code' in cause && cause.code === 'EPERM';
  }
};
