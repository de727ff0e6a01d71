// Starts a command of the user's in a process group of its own, which ends with this program, however that ends: the
// group holds one end of a pipe, and the system closes the other one when this program is gone.
import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { INHERITED_UMASK } from '../../../base/files/inherited-umask.ts';

/** File descriptor of the pipe, there and here. */
const LIFELINE = 3;

const AS_STARTED = process.platform === 'win32' ? '' : `umask ${INHERITED_UMASK.toString(8)}\n`;

/** Ends the group when the pipe ends; else exits as the command does, whose own descriptors lack the pipe. */
const WITH_LIFELINE = `{ read line <&${LIFELINE}; kill 0; } </dev/null >/dev/null 2>&1 &
exec ${LIFELINE}<&-
${AS_STARTED}sh -c "$1"
code=$?
kill $!
exit $code`;

type StartOptions = {
  /** Else it is ended with the group of this program, by the terminal. */
  readonly isOwnGroup: boolean;
};

/** Its standard input is a pipe; what it prints goes to standard error. */
export const startCommand = (command: string, { isOwnGroup }: StartOptions): ChildProcess => {
  if (!isOwnGroup || process.platform === 'win32') {
    return spawn(AS_STARTED + command, {
      shell: true,
      stdio: ['pipe', 2, 2],
      detached: isOwnGroup,
    });
  }
  const child = spawn('/bin/sh', ['-c', WITH_LIFELINE, 'sh', command], {
    stdio: ['pipe', 2, 2, 'pipe'],
    detached: true,
  });
  const lifeline = child.stdio[LIFELINE];
  // Its end is noticed only by whoever reads.
  if (lifeline instanceof Socket) lifeline.on('error', () => undefined).resume();
  return child;
};
