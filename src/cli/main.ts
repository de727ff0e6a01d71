// Runs the command that the command line names, and sets the exit code.
import { CommanderError } from 'commander';
import { letOthersRead } from '../base/files/inherited-umask.ts';
import { createProgram } from './create-program.ts';

/** Node.js's own code for a program that waits for what cannot come any more. */
const UNSETTLED = 13;

// A reader that has seen enough, a full disk or a lost terminal ends the output and not the work. What a
// command could not print, its report tells.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

// When nothing is left to be waited for, the process ends at once: to take down the memory of a build piece by piece
// takes up to a tenth of a second. A command that has not set its code by then never came to its end.
process.once('beforeExit', () => process.exit(process.exitCode ?? UNSETTLED));

letOthersRead();

try {
  await createProgram().parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? 0 : 2;
}
