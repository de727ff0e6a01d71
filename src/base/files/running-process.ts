// Whether a process of this machine runs, by its id. Ids are used again, so a yes may mean another one.
import { codeOf } from '../error-code.ts';

/** A process that belongs to somebody else runs, too. */
export const isRunning = (processId: number): boolean => {
  try {
    process.kill(processId, 0);
    return true;
  } catch (cause) {
    return codeOf(cause) === 'EPERM';
  }
};

/** True of a process that runs and is not this one. */
export const isAnotherRunning = (processId: number): boolean =>
  processId !== process.pid && isRunning(processId);
