// Names the holder of a lease so that another program on the same machine can tell whether it still
// lives: host name, process id, this life of the process (ids are used again), and one deliverer in it.
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { isRunning } from '../../../base/files/running-process.ts';

const LIFE = randomBytes(4).toString('hex');

export const createLeaseOwner = (): string =>
  [hostname(), process.pid, LIFE, randomBytes(4).toString('hex')].join('/');

/** `unknown` is an owner with another host name: a container of before, or a living one beside us. */
export const stateOfOwner = (owner: string): 'alive' | 'dead' | 'unknown' => {
  const [host, pid, life] = owner.split('/');
  if (host !== hostname()) return 'unknown';
  const isHere = Number(pid) === process.pid ? life === LIFE : isRunning(Number(pid));
  return isHere ? 'alive' : 'dead';
};
